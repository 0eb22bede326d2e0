// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;

public enum TileObject {
    NOTHING("Nothing"),
    PIECE("Piece"),
    COMPLETEDGOAL("CompletedGoal"),
    NONGOAL("NonGoal");

    private final String word;

    TileObject(String word) {
        this.word = word;
    }

    public static TileObject read(Json json) {
        for (TileObject each : values()) {
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
