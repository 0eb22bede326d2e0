// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.crazyhouse;

import holdfast.commlib.Json;

public enum Reason {
    CHECKMATE("checkmate"),
    RESIGNATION("resignation"),
    TIME("time"),
    AGREEMENT("agreement"),
    MOVE_LIMIT("move_limit"),
    NOBODY_CAME("nobody_came"),
    ABORTED("aborted"),
    LEFT("left");

    private final String word;

    Reason(String word) {
        this.word = word;
    }

    public static Reason read(Json json) {
        for (Reason each : values()) {
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
