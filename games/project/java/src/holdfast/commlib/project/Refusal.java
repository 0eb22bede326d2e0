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

    Json toJson();

    record Full(long seats) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("Full", Json.object().with("seats", Json.of(seats)));
        }
    }

    record Running() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("Running", Json.object());
        }
    }

    record NotInvited() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotInvited", Json.object());
        }
    }

    record AlreadyJoined(long player) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AlreadyJoined", Json.object().with("player", Json.of(player)));
        }
    }

    record NotAPlayer() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotAPlayer", Json.object());
        }
    }

    record NoGameMaster() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NoGameMaster", Json.object());
        }
    }

    record OnlyGameMaster() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("OnlyGameMaster", Json.object());
        }
    }

    record NotBegun() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotBegun", Json.object());
        }
    }

    record TooManyWaiting(String id, long most) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("TooManyWaiting", Json.object()
                    .with("id", Json.of(id))
                    .with("most", Json.of(most)));
        }
    }

    record TooLong(long most) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("TooLong", Json.object().with("most", Json.of(most)));
        }
    }
}
