// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;
import java.util.List;

public record GameInfo(String game, String rulebook, String edition, List<String> players, String status) {
    public static GameInfo read(Json json) {
        return new GameInfo(
                json.field("game").asString(),
                json.field("rulebook").asString(),
                json.field("edition").asString(),
                json.field("players").list(it -> it.asString()),
                json.field("status").asString());
    }
}
