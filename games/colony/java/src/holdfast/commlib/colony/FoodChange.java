// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

import holdfast.commlib.Json;

public enum FoodChange {
    FOOD_ADDED("FOOD_ADDED"),
    FOOD_CONSUMED("FOOD_CONSUMED"),
    CROSSROAD("CROSSROAD");

    private final String word;

    FoodChange(String word) {
        this.word = word;
    }

    public static FoodChange read(Json json) {
        for (FoodChange each : values()) {
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
