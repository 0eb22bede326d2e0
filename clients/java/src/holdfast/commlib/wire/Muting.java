// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public record Muting(String by, boolean muted) {
    public Json toJson() {
        return Json.object().with("by", Json.of(by)).with("muted", Json.of(muted));
    }
}
