// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;
import java.util.List;

public record Outcome(EndReason reason, Why why, Team winner, boolean tie, List<Long> goals) {
    public static Outcome read(Json json) {
        return new Outcome(
                EndReason.read(json.field("reason")),
                Why.read(json.field("why")),
                Team.read(json.field("winner")),
                json.field("tie").asBoolean(),
                json.field("goals").list(2, it -> it.asLong(0, 4294967295L)));
    }

    public Json toJson() {
        return Json.object()
                .with("reason", reason.toJson())
                .with("why", why.toJson())
                .with("winner", winner.toJson())
                .with("tie", Json.of(tie))
                .with("goals", Json.list(goals, it -> Json.of(it)));
    }
}
