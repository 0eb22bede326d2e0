// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public record Create(String rulebook, String scenario, String edition, Long seed, Long timeout) {
    public Json toJson() {
        return Json.object()
                .with("rulebook", rulebook, it -> Json.of(it))
                .with("scenario", Json.of(scenario))
                .with("edition", edition, it -> Json.of(it))
                .with("seed", seed, it -> Json.of(it))
                .with("timeout", timeout, it -> Json.ofUnsigned(it));
    }
}
