// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public record Presence(long client, String player, Long away_ms) {
    public static Presence read(Json json) {
        return new Presence(
                json.field("client").asLong(0, 4294967295L),
                json.field("player").asString(),
                json.maybe("away_ms").orNull(it -> it.asUnsigned()));
    }
}
