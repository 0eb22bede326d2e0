// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.crazyhouse;

/** Makes a value of one's own of every event. */
public interface EventFactory<E> {
    /** Told to one client. */
    E createSeated(Side side);

    /** Told to one client. */
    E createRefused(Refusal refusal, String text);

    /** Told to all players in the game. */
    E createJoined(Side side, String name);

    /** Told to all players in the game. */
    E createBegan(String white, String black, String position, Pace clock);

    /** Told to all players in the game. */
    E createMoved(Side side, String text, String position, boolean check, Long left);

    /** Told to all players in the game. */
    E createDrawOffered(Side side);

    /** Told to all players in the game. */
    E createDrawDeclined(Side side);

    /** Told to all players in the game. */
    E createFinished(Outcome outcome, String because, String text);

    /** Told to all players in the game. */
    E createTakebackAsked(Side side);

    /** Told to all players in the game. */
    E createTakebackRefused(Side side);

    /** Told to all players in the game. */
    E createTakenBack(Side side, int moves, String position, Long white_left, Long black_left);
}
