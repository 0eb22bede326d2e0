// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.wire;

import holdfast.commlib.Json;

public enum Reason {
    BAD_MESSAGE("bad_message"),
    WRONG_PROTOCOL("wrong_protocol"),
    UNKNOWN_GAME("unknown_game"),
    UNKNOWN_TOKEN("unknown_token"),
    GAME_OVER("game_over"),
    FULL("full"),
    BAD_SCENARIO("bad_scenario"),
    TOO_LARGE("too_large"),
    TOO_SLOW("too_slow"),
    TOO_FAST("too_fast"),
    TOO_MANY("too_many"),
    TIMEOUT("timeout"),
    SHUTTING_DOWN("shutting_down"),
    STORE_FAILED("store_failed"),
    REPLACED("replaced"),
    INTERNAL("internal"),
    STORE_UNAVAILABLE("store_unavailable"),
    DAMAGED("damaged"),
    ACCOUNT_REQUIRED("account_required"),
    NAME_TAKEN("name_taken"),
    DENIED("denied");

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
}
