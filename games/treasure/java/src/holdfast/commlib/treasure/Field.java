// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;

public record Field(Position at, Terrain terrain, boolean fort) {
    public static Field read(Json json) {
        return new Field(
                Position.read(json.field("at")),
                Terrain.read(json.field("terrain")),
                json.field("fort").asBoolean());
    }

    public Json toJson() {
        return Json.object().with("at", at.toJson()).with("terrain", terrain.toJson()).with("fort", Json.of(fort));
    }
}
