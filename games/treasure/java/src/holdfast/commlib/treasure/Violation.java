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
            case "TooLittleWaterOnEdge" -> new TooLittleWaterOnEdge(
                    Edge.read(body.field("edge")),
                    body.field("found").asInt(0, 255),
                    body.field("least").asInt(0, 255),
                    body.field("at").list(it -> Position.read(it)));
            case "TooManyForts" -> new TooManyForts(
                    body.field("found").asLong(0, 4294967295L),
                    body.field("most").asInt(0, 255),
                    body.field("at").list(it -> Position.read(it)));
            case "BorderBlocked" -> new BorderBlocked(
                    body.field("found").asInt(0, 255),
                    body.field("least").asInt(0, 255),
                    body.field("at").list(it -> Position.read(it)));
            default -> throw json.unknown();
        };
    }

    Json toJson();

    record WrongNumberOfFields(long found, long expected) implements Violation {
        @Override
        public Json toJson() {
            return Json.object().with("WrongNumberOfFields", Json.object()
                    .with("found", Json.of(found))
                    .with("expected", Json.of(expected)));
        }
    }

    record FieldOutside(Position at, int width, int height) implements Violation {
        @Override
        public Json toJson() {
            return Json.object().with("FieldOutside", Json.object()
                    .with("at", at.toJson())
                    .with("width", Json.of(width))
                    .with("height", Json.of(height)));
        }
    }

    record FieldTwice(Position at, long times) implements Violation {
        @Override
        public Json toJson() {
            return Json.object().with("FieldTwice", Json.object()
                    .with("at", at.toJson())
                    .with("times", Json.of(times)));
        }
    }

    record FieldMissing(Position at) implements Violation {
        @Override
        public Json toJson() {
            return Json.object().with("FieldMissing", Json.object().with("at", at.toJson()));
        }
    }

    record TooFewFields(Terrain terrain, int found, int least, List<Position> at) implements Violation {
        @Override
        public Json toJson() {
            return Json.object().with("TooFewFields", Json.object()
                    .with("terrain", terrain.toJson())
                    .with("found", Json.of(found))
                    .with("least", Json.of(least))
                    .with("at", Json.list(at, it -> it.toJson())));
        }
    }

    record TooMuchWaterOnEdge(Edge edge, int found, int most, List<Position> at) implements Violation {
        @Override
        public Json toJson() {
            return Json.object().with("TooMuchWaterOnEdge", Json.object()
                    .with("edge", edge.toJson())
                    .with("found", Json.of(found))
                    .with("most", Json.of(most))
                    .with("at", Json.list(at, it -> it.toJson())));
        }
    }

    record WrongNumberOfForts(long found, List<Position> at) implements Violation {
        @Override
        public Json toJson() {
            return Json.object().with("WrongNumberOfForts", Json.object()
                    .with("found", Json.of(found))
                    .with("at", Json.list(at, it -> it.toJson())));
        }
    }

    record FortNotOnGrass(Position at, Terrain terrain) implements Violation {
        @Override
        public Json toJson() {
            return Json.object().with("FortNotOnGrass", Json.object()
                    .with("at", at.toJson())
                    .with("terrain", terrain.toJson()));
        }
    }

    record Island(List<Position> at, long connected) implements Violation {
        @Override
        public Json toJson() {
            return Json.object().with("Island", Json.object()
                    .with("at", Json.list(at, it -> it.toJson()))
                    .with("connected", Json.of(connected)));
        }
    }

    record TooLittleWaterOnEdge(Edge edge, int found, int least, List<Position> at) implements Violation {
        @Override
        public Json toJson() {
            return Json.object().with("TooLittleWaterOnEdge", Json.object()
                    .with("edge", edge.toJson())
                    .with("found", Json.of(found))
                    .with("least", Json.of(least))
                    .with("at", Json.list(at, it -> it.toJson())));
        }
    }

    record TooManyForts(long found, int most, List<Position> at) implements Violation {
        @Override
        public Json toJson() {
            return Json.object().with("TooManyForts", Json.object()
                    .with("found", Json.of(found))
                    .with("most", Json.of(most))
                    .with("at", Json.list(at, it -> it.toJson())));
        }
    }

    record BorderBlocked(int found, int least, List<Position> at) implements Violation {
        @Override
        public Json toJson() {
            return Json.object().with("BorderBlocked", Json.object()
                    .with("found", Json.of(found))
                    .with("least", Json.of(least))
                    .with("at", Json.list(at, it -> it.toJson())));
        }
    }
}
