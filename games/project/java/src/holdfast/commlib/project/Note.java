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

    Json toJson();

    record ShamPlaced(long player, Position at) implements Note {
        @Override
        public Json toJson() {
            return Json.object().with("ShamPlaced", Json.object()
                    .with("player", Json.of(player))
                    .with("at", at.toJson()));
        }
    }

    record NothingToTest(long player) implements Note {
        @Override
        public Json toJson() {
            return Json.object().with("NothingToTest", Json.object().with("player", Json.of(player)));
        }
    }

    record PieceFell(long player, Position at) implements Note {
        @Override
        public Json toJson() {
            return Json.object().with("PieceFell", Json.object()
                    .with("player", Json.of(player))
                    .with("at", at, it -> it.toJson()));
        }
    }

    record PieceCame(Position at, boolean sham) implements Note {
        @Override
        public Json toJson() {
            return Json.object().with("PieceCame", Json.object().with("at", at.toJson()).with("sham", Json.of(sham)));
        }
    }
}
