// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.crazyhouse;

import holdfast.commlib.Json;

public record Outcome(Side winner, Reason reason) {
    public static Outcome read(Json json) {
        return new Outcome(json.maybe("winner").orNull(it -> Side.read(it)), Reason.read(json.field("reason")));
    }

    public Json toJson() {
        return Json.object().with("winner", winner, it -> it.toJson()).with("reason", reason.toJson());
    }
}
