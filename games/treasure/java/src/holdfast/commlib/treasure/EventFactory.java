// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import java.util.List;

/** Makes a value of one's own of every event. */
public interface EventFactory<E> {
    /** Told to one client. */
    E createSeated(Player player, String id, String account, List<Integer> key);

    /** Told to one client. */
    E createRefused(Refusal refusal, String text);

    /** Told to one client. */
    E createFailed(Refusal refusal, String text);

    /** Told to one client. */
    E createNoted(int number, Refusal refusal, String text);

    /** Told to all players in the game. */
    E createRegistered(Player player, String first_name, String last_name, String account);

    /** Told to all players in the game. */
    E createBegan(Player starter);

    /** Told to all players in the game. */
    E createHalfTaken(Player player, Long action);

    /** Told to all players in the game. */
    E createHalfRejected(Player player, Long action, Report report, List<Violation> violations);

    /** Told to one client. */
    E createHalfKept(Report report, Position fort, Coding coding);

    /** Told to all players in the game. */
    E createCharted(Player player, Placement placement, Report report, List<Terrain> terrain);

    /** Told to all players in the game. */
    E createAppeared(Position first, Position second);

    /** Told to all players in the game. */
    E createActed(Player player, long action, Direction step);

    /** Told to one client. */
    E createMoved(Position to);

    /** Told to one client. */
    E createSpent(Direction direction, int left);

    /** Told to one client. */
    E createWaited();

    /** Told to one client. */
    E createTreasureSeen(Position at);

    /** Told to one client. */
    E createTreasureTaken(Position at);

    /** Told to one client. */
    E createFortSeen(Position at);

    /** Told to all players in the game. */
    E createCollected(Player player);

    /** Told to all players in the game. */
    E createFinished(Outcome outcome, String text);
}
