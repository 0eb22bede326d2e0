// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;

public enum Reason {
    FORTENTERED("FortEntered"),
    INVALIDHALF("InvalidHalf"),
    SECONDHALF("SecondHalf"),
    MOVEBEFOREHALVES("MoveBeforeHalves"),
    OUTOFTURN("OutOfTurn"),
    INTOWATER("IntoWater"),
    OFFTHEMAP("OffTheMap"),
    WRONGPOSITION("WrongPosition"),
    NOTANEIGHBOUR("NotANeighbour"),
    WRONGCOUNT("WrongCount"),
    THINKTIME("ThinkTime"),
    GAMETIME("GameTime"),
    ACTIONLIMIT("ActionLimit"),
    NOBODYCAME("NobodyCame"),
    GAVEWAY("GaveWay");

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
