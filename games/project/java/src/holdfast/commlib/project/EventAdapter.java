// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import java.util.List;

/** A factory for some events only; all others are {@link #other}. */
public abstract class EventAdapter<E> implements EventFactory<E> {
    /** The value of an event whose method is not overridden. */
    protected abstract E other();

    @Override
    public E createConfirmed(long player) {
        return other();
    }

    @Override
    public E createRefused(Refusal refusal, String text) {
        return other();
    }

    @Override
    public E createTeamGiven(String context, Team team, boolean leader) {
        return other();
    }

    @Override
    public E createStarted(List<Member> players, int width, int height, Position position) {
        return other();
    }

    @Override
    public E createAnswered(String context, Answer answer) {
        return other();
    }

    @Override
    public E createRepeated(String context, Answer answer) {
        return other();
    }

    @Override
    public E createNoted(Note note, String text) {
        return other();
    }

    @Override
    public E createJoined(long player) {
        return other();
    }

    @Override
    public E createTeamJoined(long player, Team team) {
        return other();
    }

    @Override
    public E createBegan() {
        return other();
    }

    @Override
    public E createActed(long player) {
        return other();
    }

    @Override
    public E createScored(Team team) {
        return other();
    }

    @Override
    public E createLost(long player) {
        return other();
    }

    @Override
    public E createReturned(long player) {
        return other();
    }

    @Override
    public E createLeft(long player) {
        return other();
    }

    @Override
    public E createEnded(Outcome outcome, String text) {
        return other();
    }

    @Override
    public E createLearnt(long from, List<Hearsay> tiles) {
        return other();
    }

    @Override
    public E createTold(long from, long to) {
        return other();
    }
}
