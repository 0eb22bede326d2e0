// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;
import java.util.List;

public sealed interface Violation {
    static Violation read(Json json) {
        Json body = json.body();
        return switch (json.kind()) {
            case "WrongNumberOfFields" -> new WrongNumberOfFields(
                    body.field("found").asLong(0, 4294967295L),
                    body.field("expected").asLong(0, 4294967295L));
            case "FieldOutside" -> new FieldOutside(
                    Position.read(body.field("at")),
                    body.field("width").asInt(0, 255),
                    body.field("height").asInt(0, 255));
            case "FieldTwice" -> new FieldTwice(
                    Position.read(body.field("at")),
                    body.field("times").asLong(0, 4294967295L));
            case "FieldMissing" -> new FieldMissing(Position.read(body.field("at")));
            case "TooFewFields" -> new TooFewFields(
                    Terrain.read(body.field("terrain")),
                    body.field("found").asInt(0, 255),
                    body.field("least").asInt(0, 255),
                    body.field("at").list(it -> Position.read(it)));
            case "TooMuchWaterOnEdge" -> new TooMuchWaterOnEdge(
                    Edge.read(body.field("edge")),
                    body.field("found").asInt(0, 255),
                    body.field("most").asInt(0, 255),
                    body.field("at").list(it -> Position.read(it)));
            case "WrongNumberOfForts" -> new WrongNumberOfForts(
                    body.field("found").asLong(0, 4294967295L),
                    body.field("at").list(it -> Position.read(it)));
            case "FortNotOnGrass" -> new FortNotOnGrass(
                    Position.read(body.field("at")),
                    Terrain.read(body.field("terrain")));
            case "Island" -> new Island(
                    body.field("at").list(it -> Position.read(it)),
                    body.field("connected").asLong(0, 4294967295L));
            default -> throw json.unknown();
        };
    }

    record WrongNumberOfFields(long found, long expected) implements Violation {}

    record FieldOutside(Position at, int width, int height) implements Violation {}

    record FieldTwice(Position at, long times) implements Violation {}

    record FieldMissing(Position at) implements Violation {}

    record TooFewFields(Terrain terrain, int found, int least, List<Position> at) implements Violation {}

    record TooMuchWaterOnEdge(Edge edge, int found, int most, List<Position> at) implements Violation {}

    record WrongNumberOfForts(long found, List<Position> at) implements Violation {}

    record FortNotOnGrass(Position at, Terrain terrain) implements Violation {}

    record Island(List<Position> at, long connected) implements Violation {}
}
