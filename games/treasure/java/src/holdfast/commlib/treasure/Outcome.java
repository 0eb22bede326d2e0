// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;

public sealed interface Outcome {
    static Outcome read(Json json) {
        Json body = json.body();
        return switch (json.kind()) {
            case "Won" -> new Won(Player.read(body.field("winner")), Reason.read(body.field("reason")));
            case "NobodyWon" -> new NobodyWon(Reason.read(body.field("reason")));
            case "Removed" -> new Removed(Reason.read(body.field("reason")));
            default -> throw json.unknown();
        };
    }

    Json toJson();

    record Won(Player winner, Reason reason) implements Outcome {
        @Override
        public Json toJson() {
            return Json.object().with("Won", Json.object()
                    .with("winner", winner.toJson())
                    .with("reason", reason.toJson()));
        }
    }

    record NobodyWon(Reason reason) implements Outcome {
        @Override
        public Json toJson() {
            return Json.object().with("NobodyWon", Json.object().with("reason", reason.toJson()));
        }
    }

    record Removed(Reason reason) implements Outcome {
        @Override
        public Json toJson() {
            return Json.object().with("Removed", Json.object().with("reason", reason.toJson()));
        }
    }
}
