// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;

public enum Tested {
    PIECE("Piece"),
    SHAM("Sham");

    private final String word;

    Tested(String word) {
        this.word = word;
    }

    public static Tested read(Json json) {
        for (Tested each : values()) {
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
