// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;

public enum Year {
    Y2022("Y2022"),
    Y2017("Y2017");

    private final String word;

    Year(String word) {
        this.word = word;
    }

    public static Year read(Json json) {
        for (Year each : values()) {
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
