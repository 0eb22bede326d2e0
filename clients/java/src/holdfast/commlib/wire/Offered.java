// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public record Offered(long number, long after, String offers) {
    public static Offered read(Json json) {
        return new Offered(
                json.field("number").asUnsigned(),
                json.field("after").asUnsigned(),
                json.field("offers").asString());
    }
}
