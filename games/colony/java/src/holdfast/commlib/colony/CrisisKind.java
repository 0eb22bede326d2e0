// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

import holdfast.commlib.Json;

public enum CrisisKind {
    FOOD("FOOD"),
    STUFF("STUFF"),
    MEDICINE("MEDICINE"),
    FUEL("FUEL");

    private final String word;

    CrisisKind(String word) {
        this.word = word;
    }

    public static CrisisKind read(Json json) {
        for (CrisisKind each : values()) {
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
