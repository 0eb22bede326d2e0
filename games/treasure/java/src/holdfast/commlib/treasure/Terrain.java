// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;

public enum Terrain {
    GRASS("Grass"),
    MOUNTAIN("Mountain"),
    WATER("Water");

    private final String word;

    Terrain(String word) {
        this.word = word;
    }

    public static Terrain read(Json json) {
        for (Terrain each : values()) {
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
