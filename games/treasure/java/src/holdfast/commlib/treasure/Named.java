// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;

public enum Named {
    FIRSTNAME("FirstName"),
    LASTNAME("LastName"),
    ACCOUNT("Account");

    private final String word;

    Named(String word) {
        this.word = word;
    }

    public static Named read(Json json) {
        for (Named each : values()) {
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
