// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;

public enum Player {
    FIRST("First"),
    SECOND("Second");

    private final String word;

    Player(String word) {
        this.word = word;
    }

    public static Player read(Json json) {
        for (Player each : values()) {
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
