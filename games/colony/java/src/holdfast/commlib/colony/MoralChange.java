// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

import holdfast.commlib.Json;

public enum MoralChange {
    CHARACTER_DIED("CHARACTER_DIED"),
    STARVATION_TOKEN("STARVATION_TOKEN"),
    WASTE("WASTE"),
    CRISIS("CRISIS"),
    CROSSROAD("CROSSROAD");

    private final String word;

    MoralChange(String word) {
        this.word = word;
    }

    public static MoralChange read(Json json) {
        for (MoralChange each : values()) {
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
