// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;
import java.util.List;

public sealed interface ToClient {
    static ToClient read(Json json) {
        Json body = json.body();
        return switch (json.kind()) {
            case "welcome" -> new Welcome(holdfast.commlib.wire.Welcome.read(body));
            case "games" -> new Games(body.list(it -> GameInfo.read(it)));
            case "event" -> new Event(Told.read(body));
            case "pong" -> new Pong(body.asUnsigned());
            case "refused" -> new Refused(holdfast.commlib.wire.Refused.read(body));
            case "closing" -> new Closing(holdfast.commlib.wire.Refused.read(body));
            case "offers" -> new Offers(Offered.read(body));
            case "notice" -> new Notice(News.read(body));
            case "managed" -> new Managed(Access.read(body));
            default -> throw json.unknown();
        };
    }

    record Welcome(holdfast.commlib.wire.Welcome value) implements ToClient {}

    record Games(List<GameInfo> value) implements ToClient {}

    record Event(Told value) implements ToClient {}

    record Pong(long value) implements ToClient {}

    record Refused(holdfast.commlib.wire.Refused value) implements ToClient {}

    record Closing(holdfast.commlib.wire.Refused value) implements ToClient {}

    record Offers(Offered value) implements ToClient {}

    record Notice(News value) implements ToClient {}

    record Managed(Access value) implements ToClient {}
}
