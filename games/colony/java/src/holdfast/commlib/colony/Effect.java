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

    record Equipment(int value) implements Effect {}

    record Ability() implements Effect {}

    record Disposal() implements Effect {}
}
