// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;

public record Hearsay(Tile tile, long age) {
    public static Hearsay read(Json json) {
        return new Hearsay(Tile.read(json.field("tile")), json.field("age").asUnsigned());
    }

    public Json toJson() {
        return Json.object().with("tile", tile.toJson()).with("age", Json.ofUnsigned(age));
    }
}
