// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public record Hello(int protocol, Want want, String game, boolean board) {
    public Json toJson() {
        return Json.object()
                .with("protocol", Json.of(protocol))
                .with("want", want.toJson())
                .with("game", game, it -> Json.of(it))
                .with("board", Json.of(board));
    }
}
