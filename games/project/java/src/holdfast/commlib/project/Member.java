// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;

public record Member(long player, Team team) {
    public static Member read(Json json) {
        return new Member(json.field("player").asLong(0, 4294967295L), Team.read(json.field("team")));
    }

    public Json toJson() {
        return Json.object().with("player", Json.of(player)).with("team", team.toJson());
    }
}
