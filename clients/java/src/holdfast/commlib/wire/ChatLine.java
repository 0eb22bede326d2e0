// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public record ChatLine(long number, Channel channel, Long client, String by, String text, long at) {
    public static ChatLine read(Json json) {
        return new ChatLine(
                json.field("number").asUnsigned(),
                Channel.read(json.field("channel")),
                json.maybe("client").orNull(it -> it.asLong(0, 4294967295L)),
                json.field("by").asString(),
                json.field("text").asString(),
                json.field("at").asLong());
    }
}
