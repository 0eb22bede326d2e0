// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;

public enum EndReason {
    SUCCESS("Success"),
    FAILURE("Failure"),
    TIMEOUT("Timeout");

    private final String word;

    EndReason(String word) {
        this.word = word;
    }

    public static EndReason read(Json json) {
        for (EndReason each : values()) {
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
