// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;
import java.util.List;

public sealed interface Refusal {
    static Refusal read(Json json) {
        Json body = json.body();
        return switch (json.kind()) {
            case "NotRegistered" -> new NotRegistered();
            case "AlreadyRegistered" -> new AlreadyRegistered();
            case "GameFull" -> new GameFull();
            case "UnusableId" -> new UnusableId();
            case "WrongLength" -> new WrongLength(
                    Named.read(body.field("named")),
                    body.field("found").asLong(0, 4294967295L),
                    body.field("least").asLong(0, 4294967295L),
                    body.field("most").asLong(0, 4294967295L));
            case "WrongYear" -> new WrongYear(Year.read(body.field("year")));
            case "NotYourTurn" -> new NotYourTurn(body.field("begun").asBoolean());
            case "InvalidHalf" -> new InvalidHalf(body.field("violations").list(it -> Violation.read(it)));
            case "SecondHalf" -> new SecondHalf();
            case "MoveBeforeHalves" -> new MoveBeforeHalves(body.field("halves").asInt(0, 255));
            case "IntoWater" -> new IntoWater(
                    Position.read(body.field("from")),
                    Direction.read(body.field("direction")));
            case "OffTheMap" -> new OffTheMap(
                    Position.read(body.field("from")),
                    Direction.read(body.field("direction")),
                    body.field("width").asInt(0, 255),
                    body.field("height").asInt(0, 255));
            case "WrongPosition" -> new WrongPosition(
                    body.field("x").asInt(),
                    body.field("y").asInt(),
                    Position.read(body.field("at")));
            case "NotANeighbour" -> new NotANeighbour(
                    body.field("x").asInt(),
                    body.field("y").asInt(),
                    Position.read(body.field("at")));
            case "WrongCount" -> new WrongCount(body.field("turns").asInt(), body.field("expected").asInt(0, 255));
            case "GameOver" -> new GameOver();
            case "Unreadable" -> new Unreadable(body.field("problem").asString());
            case "OnlyTheHost" -> new OnlyTheHost();
            default -> throw json.unknown();
        };
    }

    Json toJson();

    record NotRegistered() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotRegistered", Json.object());
        }
    }

    record AlreadyRegistered() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AlreadyRegistered", Json.object());
        }
    }

    record GameFull() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("GameFull", Json.object());
        }
    }

    record UnusableId() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("UnusableId", Json.object());
        }
    }

    record WrongLength(Named named, long found, long least, long most) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("WrongLength", Json.object()
                    .with("named", named.toJson())
                    .with("found", Json.of(found))
                    .with("least", Json.of(least))
                    .with("most", Json.of(most)));
        }
    }

    record WrongYear(Year year) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("WrongYear", Json.object().with("year", year.toJson()));
        }
    }

    record NotYourTurn(boolean begun) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotYourTurn", Json.object().with("begun", Json.of(begun)));
        }
    }

    record InvalidHalf(List<Violation> violations) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("InvalidHalf", Json.object()
                    .with("violations", Json.list(violations, it -> it.toJson())));
        }
    }

    record SecondHalf() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("SecondHalf", Json.object());
        }
    }

    record MoveBeforeHalves(int halves) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("MoveBeforeHalves", Json.object().with("halves", Json.of(halves)));
        }
    }

    record IntoWater(Position from, Direction direction) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("IntoWater", Json.object()
                    .with("from", from.toJson())
                    .with("direction", direction.toJson()));
        }
    }

    record OffTheMap(Position from, Direction direction, int width, int height) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("OffTheMap", Json.object()
                    .with("from", from.toJson())
                    .with("direction", direction.toJson())
                    .with("width", Json.of(width))
                    .with("height", Json.of(height)));
        }
    }

    record WrongPosition(int x, int y, Position at) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("WrongPosition", Json.object()
                    .with("x", Json.of(x))
                    .with("y", Json.of(y))
                    .with("at", at.toJson()));
        }
    }

    record NotANeighbour(int x, int y, Position at) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotANeighbour", Json.object()
                    .with("x", Json.of(x))
                    .with("y", Json.of(y))
                    .with("at", at.toJson()));
        }
    }

    record WrongCount(int turns, int expected) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("WrongCount", Json.object()
                    .with("turns", Json.of(turns))
                    .with("expected", Json.of(expected)));
        }
    }

    record GameOver() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("GameOver", Json.object());
        }
    }

    record Unreadable(String problem) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("Unreadable", Json.object().with("problem", Json.of(problem)));
        }
    }

    record OnlyTheHost() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("OnlyTheHost", Json.object());
        }
    }
}
