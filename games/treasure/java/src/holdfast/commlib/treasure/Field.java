// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;

public record Field(Position at, Terrain terrain, boolean fort) {
    public Json toJson() {
        return Json.object().with("at", at.toJson()).with("terrain", terrain.toJson()).with("fort", Json.of(fort));
    }
}
