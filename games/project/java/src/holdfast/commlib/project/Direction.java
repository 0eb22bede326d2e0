// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;

public enum Direction {
    LEFT("Left"),
    UP("Up"),
    RIGHT("Right"),
    DOWN("Down");

    private final String word;

    Direction(String word) {
        this.word = word;
    }

    public static Direction read(Json json) {
        for (Direction each : values()) {
            if (each.word.equals(json.asString())) {
                return each;
            }
        }
        throw json.unknown();
    }

    public Json toJson() {
        return Json.of(word);
    }
}
