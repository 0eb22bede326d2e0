// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;
import java.util.List;

public record Snapshot(List<Presence> players, long spectators, String thinks, Channel writes, List<ChatLine> chat) {
    public static Snapshot read(Json json) {
        return new Snapshot(
                json.field("players").list(it -> Presence.read(it)),
                json.field("spectators").asLong(0, 4294967295L),
                json.maybe("thinks").orNull(it -> it.asString()),
                Channel.read(json.field("writes")),
                json.maybe("chat").orNull(it -> it.list(it1 -> ChatLine.read(it1))));
    }
}
