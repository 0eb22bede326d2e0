// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.crazyhouse;

/** A factory for some events only; all others are {@link #other}. */
public abstract class EventAdapter<E> implements EventFactory<E> {
    /** The value of an event whose method is not overridden. */
    protected abstract E other();

    @Override
    public E createSeated(Side side) {
        return other();
    }

    @Override
    public E createRefused(Refusal refusal, String text) {
        return other();
    }

    @Override
    public E createJoined(Side side, String name) {
        return other();
    }

    @Override
    public E createBegan(String white, String black, String position, Pace clock) {
        return other();
    }

    @Override
    public E createMoved(Side side, String text, String position, boolean check, Long left) {
        return other();
    }

    @Override
    public E createDrawOffered(Side side) {
        return other();
    }

    @Override
    public E createDrawDeclined(Side side) {
        return other();
    }

    @Override
    public E createFinished(Outcome outcome, String because, String text) {
        return other();
    }

    @Override
    public E createTakebackAsked(Side side) {
        return other();
    }

    @Override
    public E createTakebackRefused(Side side) {
        return other();
    }

    @Override
    public E createTakenBack(Side side, int moves, String position, Long white_left, Long black_left) {
        return other();
    }
}
