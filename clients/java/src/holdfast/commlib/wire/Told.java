// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public record Told(long number, Json event, String text) {
    public static Told read(Json json) {
        return new Told(
                json.field("number").asUnsigned(),
                json.field("event"),
                json.maybe("text").orNull(it -> it.asString()));
    }
}
