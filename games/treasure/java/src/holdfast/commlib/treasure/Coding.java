// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;

public enum Coding {
    DIGITS0("Digits0"),
    DIGITS4("Digits4"),
    LETTERS("Letters");

    private final String word;

    Coding(String word) {
        this.word = word;
    }

    public static Coding read(Json json) {
        for (Coding each : values()) {
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
