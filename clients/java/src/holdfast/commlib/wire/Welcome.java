// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public record Welcome(
        int protocol,
        String game,
        Long client,
        String token,
        long next,
        String rulebook,
        String edition,
        long commands,
        String scenario) {
    public static Welcome read(Json json) {
        return new Welcome(
                json.field("protocol").asInt(0, 65535),
                json.field("game").asString(),
                json.maybe("client").orNull(it -> it.asLong(0, 4294967295L)),
                json.maybe("token").orNull(it -> it.asString()),
                json.field("next").asUnsigned(),
                json.field("rulebook").asString(),
                json.field("edition").asString(),
                json.field("commands").asUnsigned(),
                json.maybe("scenario").orNull(it -> it.asString()));
    }
}
