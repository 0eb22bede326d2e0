// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public sealed interface News {
    static News read(Json json) {
        Json body = json.body();
        return switch (json.kind()) {
            case "snapshot" -> new Snapshot(holdfast.commlib.wire.Snapshot.read(body));
            case "presence" -> new Presence(holdfast.commlib.wire.Presence.read(body));
            case "spectators" -> new Spectators(body.asLong(0, 4294967295L));
            case "thinks" -> new Thinks(body.orNull(it -> it.asString()));
            case "chat" -> new Chat(ChatLine.read(body));
            case "refused" -> new Refused(holdfast.commlib.wire.Refused.read(body));
            case "reported" -> new Reported(body.asUnsigned());
            default -> throw json.unknown();
        };
    }

    record Snapshot(holdfast.commlib.wire.Snapshot value) implements News {}

    record Presence(holdfast.commlib.wire.Presence value) implements News {}

    record Spectators(long value) implements News {}

    record Thinks(String value) implements News {}

    record Chat(ChatLine value) implements News {}

    record Refused(holdfast.commlib.wire.Refused value) implements News {}

    record Reported(long value) implements News {}
}
