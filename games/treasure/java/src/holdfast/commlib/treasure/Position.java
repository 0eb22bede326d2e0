// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;

public record Position(int x, int y) {
    public static Position read(Json json) {
        return new Position(json.field("x").asInt(0, 255), json.field("y").asInt(0, 255));
    }

    public Json toJson() {
        return Json.object().with("x", Json.of(x)).with("y", Json.of(y));
    }
}
