// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

import holdfast.commlib.Json;

public enum Edition {
    GROUP("group"),
    EQUIPMENT("equipment"),
    FATE("fate");

    private final String word;

    Edition(String word) {
        this.word = word;
    }

    public static Edition read(Json json) {
        for (Edition each : values()) {
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
