// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import java.util.List;

/** Makes a value of one's own of every event. */
public interface EventFactory<E> {
    /** Told to one client. */
    E createConfirmed(long player);

    /** Told to one client. */
    E createRefused(Refusal refusal, String text);

    /** Told to one client. */
    E createTeamGiven(String context, Team team, boolean leader);

    /** Told to one client. */
    E createStarted(List<Member> players, int width, int height, Position position);

    /** Told to one client. */
    E createAnswered(String context, Answer answer);

    /** Told to one client. */
    E createRepeated(String context, Answer answer);

    /** Told to one client. */
    E createNoted(Note note, String text);

    /** Told to clients that asked for the board. */
    default E createJoined(long player) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createJoined");
    }

    /** Told to clients that asked for the board. */
    default E createTeamJoined(long player, Team team) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createTeamJoined");
    }

    /** Told to clients that asked for the board. */
    default E createBegan() {
        throw new UnsupportedOperationException("the board was asked for, and there is no createBegan");
    }

    /** Told to clients that asked for the board. */
    default E createActed(long player) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createActed");
    }

    /** Told to clients that asked for the board. */
    default E createScored(Team team) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createScored");
    }

    /** Told to clients that asked for the board. */
    default E createLost(long player) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createLost");
    }

    /** Told to clients that asked for the board. */
    default E createReturned(long player) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createReturned");
    }

    /** Told to clients that asked for the board. */
    default E createLeft(long player) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createLeft");
    }

    /** Told to all players in the game. */
    E createEnded(Outcome outcome, String text);

    /** Told to one client. */
    E createLearnt(long from, List<Hearsay> tiles);

    /** Told to clients that asked for the board. */
    default E createTold(long from, long to) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createTold");
    }
}
