// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;

public record Edges(int top, int bottom, int left, int right) {
    public static Edges read(Json json) {
        return new Edges(
                json.field("top").asInt(0, 255),
                json.field("bottom").asInt(0, 255),
                json.field("left").asInt(0, 255),
                json.field("right").asInt(0, 255));
    }

    public Json toJson() {
        return Json.object()
                .with("top", Json.of(top))
                .with("bottom", Json.of(bottom))
                .with("left", Json.of(left))
                .with("right", Json.of(right));
    }
}
