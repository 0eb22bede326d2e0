// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;

public enum Team {
    BLUE("Blue"),
    RED("Red");

    private final String word;

    Team(String word) {
        this.word = word;
    }

    public static Team read(Json json) {
        for (Team each : values()) {
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
