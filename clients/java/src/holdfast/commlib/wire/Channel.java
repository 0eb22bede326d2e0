// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public enum Channel {
    PLAYERS("players"),
    SPECTATORS("spectators");

    private final String word;

    Channel(String word) {
        this.word = word;
    }

    public static Channel read(Json json) {
        for (Channel each : values()) {
            if (each.word.equals(json.asString())) {
                return each;
            }
        }
        throw json.unknown();
    }
}
