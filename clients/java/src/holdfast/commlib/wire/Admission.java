// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public enum Admission {
    OPEN("open"),
    UNLISTED("unlisted"),
    INVITED("invited");

    private final String word;

    Admission(String word) {
        this.word = word;
    }

    public static Admission read(Json json) {
        for (Admission each : values()) {
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
