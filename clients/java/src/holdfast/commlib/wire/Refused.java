// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public record Refused(Reason reason, String message) {
    public static Refused read(Json json) {
        return new Refused(Reason.read(json.field("reason")), json.field("message").asString());
    }
}
