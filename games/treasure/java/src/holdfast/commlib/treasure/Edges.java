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
}
