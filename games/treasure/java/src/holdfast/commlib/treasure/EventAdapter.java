// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import java.util.List;

/** A factory for some events only; all others are {@link #other}. */
public abstract class EventAdapter<E> implements EventFactory<E> {
    /** The value of an event whose method is not overridden. */
    protected abstract E other();

    @Override
    public E createSeated(Player player, String id, String account, List<Integer> key) {
        return other();
    }

    @Override
    public E createRefused(Refusal refusal, String text) {
        return other();
    }

    @Override
    public E createFailed(Refusal refusal, String text) {
        return other();
    }

    @Override
    public E createNoted(int number, Refusal refusal, String text) {
        return other();
    }

    @Override
    public E createRegistered(Player player, String first_name, String last_name, String account) {
        return other();
    }

    @Override
    public E createBegan(Player starter) {
        return other();
    }

    @Override
    public E createHalfTaken(Player player, Long action) {
        return other();
    }

    @Override
    public E createHalfRejected(Player player, Long action, Report report, List<Violation> violations) {
        return other();
    }

    @Override
    public E createHalfKept(Report report, Position fort, Coding coding) {
        return other();
    }

    @Override
    public E createCharted(Player player, Placement placement, Report report, List<Terrain> terrain) {
        return other();
    }

    @Override
    public E createAppeared(Position first, Position second) {
        return other();
    }

    @Override
    public E createActed(Player player, long action, Direction step) {
        return other();
    }

    @Override
    public E createMoved(Position to) {
        return other();
    }

    @Override
    public E createSpent(Direction direction, int left) {
        return other();
    }

    @Override
    public E createWaited() {
        return other();
    }

    @Override
    public E createTreasureSeen(Position at) {
        return other();
    }

    @Override
    public E createTreasureTaken(Position at) {
        return other();
    }

    @Override
    public E createFortSeen(Position at) {
        return other();
    }

    @Override
    public E createCollected(Player player) {
        return other();
    }

    @Override
    public E createFinished(Outcome outcome, String text) {
        return other();
    }
}
