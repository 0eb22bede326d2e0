// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;
import java.util.List;

public sealed interface Answer {
    static Answer read(Json json) {
        Json body = json.body();
        return switch (json.kind()) {
            case "Moved" -> new Moved(
                    body.field("success").asBoolean(),
                    Position.read(body.field("position")),
                    body.maybe("distance").orNull(it -> it.asInt()));
            case "Discovered" -> new Discovered(body.field("tiles").list(it -> Tile.read(it)));
            case "PickedUp" -> new PickedUp(body.field("success").asBoolean());
            case "Tested" -> new Tested(holdfast.commlib.project.Tested.read(body.field("result")));
            case "Placed" -> new Placed(holdfast.commlib.project.Placed.read(body.field("result")));
            case "Silence" -> new Silence();
            default -> throw json.unknown();
        };
    }

    Json toJson();

    record Moved(boolean success, Position position, Integer distance) implements Answer {
        @Override
        public Json toJson() {
            return Json.object().with("Moved", Json.object()
                    .with("success", Json.of(success))
                    .with("position", position.toJson())
                    .with("distance", distance, it -> Json.of(it)));
        }
    }

    record Discovered(List<Tile> tiles) implements Answer {
        @Override
        public Json toJson() {
            return Json.object().with("Discovered", Json.object().with("tiles", Json.list(tiles, it -> it.toJson())));
        }
    }

    record PickedUp(boolean success) implements Answer {
        @Override
        public Json toJson() {
            return Json.object().with("PickedUp", Json.object().with("success", Json.of(success)));
        }
    }

    record Tested(holdfast.commlib.project.Tested result) implements Answer {
        @Override
        public Json toJson() {
            return Json.object().with("Tested", Json.object().with("result", result.toJson()));
        }
    }

    record Placed(holdfast.commlib.project.Placed result) implements Answer {
        @Override
        public Json toJson() {
            return Json.object().with("Placed", Json.object().with("result", result.toJson()));
        }
    }

    record Silence() implements Answer {
        @Override
        public Json toJson() {
            return Json.of("Silence");
        }
    }
}
