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

    record Moved(boolean success, Position position, Integer distance) implements Answer {}

    record Discovered(List<Tile> tiles) implements Answer {}

    record PickedUp(boolean success) implements Answer {}

    record Tested(holdfast.commlib.project.Tested result) implements Answer {}

    record Placed(holdfast.commlib.project.Placed result) implements Answer {}

    record Silence() implements Answer {}
}
