// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;

public record Tile(Position position, int distance, Member player, TileObject object) {
    public static Tile read(Json json) {
        return new Tile(
                Position.read(json.field("position")),
                json.field("distance").asInt(),
                json.maybe("player").orNull(it -> Member.read(it)),
                TileObject.read(json.field("object")));
    }

    public Json toJson() {
        return Json.object()
                .with("position", position.toJson())
                .with("distance", Json.of(distance))
                .with("player", player, it -> it.toJson())
                .with("object", object.toJson());
    }
}
