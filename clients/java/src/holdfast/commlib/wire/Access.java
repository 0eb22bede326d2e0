// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;
import java.util.List;

public record Access(Admission admission, boolean closed, long invitations, List<String> reserved, String invitation) {
    public static Access read(Json json) {
        return new Access(
                Admission.read(json.field("admission")),
                json.field("closed").asBoolean(),
                json.field("invitations").asLong(0, 4294967295L),
                json.field("reserved").list(it -> it.asString()),
                json.maybe("invitation").orNull(it -> it.asString()));
    }
}
