// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;

public sealed interface Note {
    static Note read(Json json) {
        Json body = json.body();
        return switch (json.kind()) {
            case "ShamPlaced" -> new ShamPlaced(
                    body.field("player").asLong(0, 4294967295L),
                    Position.read(body.field("at")));
            case "NothingToTest" -> new NothingToTest(body.field("player").asLong(0, 4294967295L));
            case "PieceFell" -> new PieceFell(
                    body.field("player").asLong(0, 4294967295L),
                    body.maybe("at").orNull(it -> Position.read(it)));
            case "PieceCame" -> new PieceCame(Position.read(body.field("at")), body.field("sham").asBoolean());
            default -> throw json.unknown();
        };
    }

    record ShamPlaced(long player, Position at) implements Note {}

    record NothingToTest(long player) implements Note {}

    record PieceFell(long player, Position at) implements Note {}

    record PieceCame(Position at, boolean sham) implements Note {}
}
