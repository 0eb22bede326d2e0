// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;

public sealed interface Refusal {
    static Refusal read(Json json) {
        Json body = json.body();
        return switch (json.kind()) {
            case "Full" -> new Full(body.field("seats").asLong(0, 4294967295L));
            case "Running" -> new Running();
            case "NotInvited" -> new NotInvited();
            case "AlreadyJoined" -> new AlreadyJoined(body.field("player").asLong(0, 4294967295L));
            case "NotAPlayer" -> new NotAPlayer();
            case "NoGameMaster" -> new NoGameMaster();
            case "OnlyGameMaster" -> new OnlyGameMaster();
            case "NotBegun" -> new NotBegun();
            case "TooManyWaiting" -> new TooManyWaiting(
                    body.field("id").asString(),
                    body.field("most").asLong(0, 4294967295L));
            case "TooLong" -> new TooLong(body.field("most").asLong(0, 4294967295L));
            default -> throw json.unknown();
        };
    }

    record Full(long seats) implements Refusal {}

    record Running() implements Refusal {}

    record NotInvited() implements Refusal {}

    record AlreadyJoined(long player) implements Refusal {}

    record NotAPlayer() implements Refusal {}

    record NoGameMaster() implements Refusal {}

    record OnlyGameMaster() implements Refusal {}

    record NotBegun() implements Refusal {}

    record TooManyWaiting(String id, long most) implements Refusal {}

    record TooLong(long most) implements Refusal {}
}
