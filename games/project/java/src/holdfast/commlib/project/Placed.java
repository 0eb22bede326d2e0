// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;

public enum Placed {
    COMPLETED("Completed"),
    MEANINGLESS("Meaningless"),
    DISALLOWED("Disallowed");

    private final String word;

    Placed(String word) {
        this.word = word;
    }

    public static Placed read(Json json) {
        for (Placed each : values()) {
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
