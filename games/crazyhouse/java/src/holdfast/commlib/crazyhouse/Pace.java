// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.crazyhouse;

import holdfast.commlib.Json;

public record Pace(long initial, long increment) {
    public static Pace read(Json json) {
        return new Pace(json.field("initial").asUnsigned(), json.field("increment").asUnsigned());
    }

    public Json toJson() {
        return Json.object().with("initial", Json.ofUnsigned(initial)).with("increment", Json.ofUnsigned(increment));
    }
}
