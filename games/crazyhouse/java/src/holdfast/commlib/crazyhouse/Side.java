// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.crazyhouse;

import holdfast.commlib.Json;

public enum Side {
    WHITE("white"),
    BLACK("black");

    private final String word;

    Side(String word) {
        this.word = word;
    }

    public static Side read(Json json) {
        for (Side each : values()) {
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
