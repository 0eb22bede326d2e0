// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

import holdfast.commlib.Json;
import java.util.List;

public record Few(List<Integer> first, int more) {
    public static Few read(Json json) {
        return new Few(json.field("first").list(it -> it.asInt()), json.field("more").asInt(0, 65535));
    }

    public Json toJson() {
        return Json.object().with("first", Json.list(first, it -> Json.of(it))).with("more", Json.of(more));
    }
}
