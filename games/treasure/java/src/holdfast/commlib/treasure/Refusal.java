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

    record NotRegistered() implements Refusal {}

    record AlreadyRegistered() implements Refusal {}

    record GameFull() implements Refusal {}

    record UnusableId() implements Refusal {}

    record WrongLength(Named named, long found, long least, long most) implements Refusal {}

    record WrongYear(Year year) implements Refusal {}

    record NotYourTurn(boolean begun) implements Refusal {}

    record InvalidHalf(List<Violation> violations) implements Refusal {}

    record SecondHalf() implements Refusal {}

    record MoveBeforeHalves(int halves) implements Refusal {}

    record IntoWater(Position from, Direction direction) implements Refusal {}

    record OffTheMap(Position from, Direction direction, int width, int height) implements Refusal {}

    record WrongPosition(int x, int y, Position at) implements Refusal {}

    record NotANeighbour(int x, int y, Position at) implements Refusal {}

    record WrongCount(int turns, int expected) implements Refusal {}

    record GameOver() implements Refusal {}

    record Unreadable(String problem) implements Refusal {}

    record OnlyTheHost() implements Refusal {}
}
