// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

import holdfast.commlib.Json;

public sealed interface Effect {
    static Effect read(Json json) {
        Json body = json.body();
        return switch (json.kind()) {
            case "Equipment" -> new Equipment(body.asInt());
            case "Ability" -> new Ability();
            case "Disposal" -> new Disposal();
            default -> throw json.unknown();
        };
    }

    Json toJson();

    record Equipment(int value) implements Effect {
        @Override
        public Json toJson() {
            return Json.object().with("Equipment", Json.of(value));
        }
    }

    record Ability() implements Effect {
        @Override
        public Json toJson() {
            return Json.of("Ability");
        }
    }

    record Disposal() implements Effect {
        @Override
        public Json toJson() {
            return Json.of("Disposal");
        }
    }
}
