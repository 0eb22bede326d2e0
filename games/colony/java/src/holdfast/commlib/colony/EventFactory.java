// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

/** Makes a value of one's own of every event. */
public interface EventFactory<E> {
    /** Told to one client. */
    E createConfig(String text);

    /** Told to one client. */
    E createActNow();

    /** Told to one client. */
    E createCharacters(int c0, int c1, int c2, int c3);

    /** Told to one client. */
    E createCommandFailed(Refusal refusal, String text);

    /** Told to one client. */
    E createVoteNow();

    /** Told to all players in the game. */
    E createRegistrationAborted();

    /** Told to all players in the game. */
    E createGameStarted();

    /** Told to all players in the game. */
    E createPlayer(int player, String name);

    /** Told to all players in the game. */
    E createCharacterSpawned(int player, int character);

    /** Told to all players in the game. */
    E createChildSpawned();

    /** Told to all players in the game. */
    E createCardDrawn(int player, int card);

    /** Told to all players in the game. */
    E createNextRound(long round);

    /** Told to all players in the game. */
    E createCrisis(int crisis);

    /** Told to all players in the game. */
    E createDieRolled(int player, int value);

    /** Told to all players in the game. */
    E createMoved(int character, int location, Boolean fuel);

    /** Told to all players in the game. */
    E createZombieKilled(int character, int location, int entrance);

    /** Told to all players in the game. */
    E createBarricaded(int character, int location, int entrance);

    /** Told to all players in the game. */
    E createSearched(int character, int location);

    /** Told to all players in the game. */
    E createWasteChanged(int amount);

    /** Told to all players in the game. */
    E createContributed(int player, int card);

    /** Told to all players in the game. */
    E createCardUsed(int card, Integer character, Integer target);

    /** Told to all players in the game. */
    E createAbilityUsed(int character, Integer target);

    /** Told to all players in the game. */
    E createFoodChanged(int amount, FoodChange reason);

    /** Told to all players in the game. */
    E createMoralChanged(int amount, MoralChange reason);

    /** Told to all players in the game. */
    E createWounded(int character);

    /** Told to all players in the game. */
    E createFrostbitten(int character);

    /** Told to all players in the game. */
    E createBitten(Integer character);

    /** Told to all players in the game. */
    E createSurvivorKilled(int character);

    /** Told to all players in the game. */
    E createChildKilled();

    /** Told to all players in the game. */
    E createColonyPhaseStarted();

    /** Told to all players in the game. */
    E createStarvationTokenAdded();

    /** Told to all players in the game. */
    E createZombieSpawned(int location, int entrance);

    /** Told to all players in the game. */
    E createBarricadeDestroyed(int location, int entrance);

    /** Told to all players in the game. */
    E createLeft(int player);

    /** Told to all players in the game. */
    E createGameEnd(boolean win);

    /** Told to all players in the game. */
    E createCrossroad(int fate);

    /** Told to all players in the game. */
    E createVoteResult(boolean answer);

    /** Told to clients that asked for the board. */
    default E createRegistered(int player, String name) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createRegistered");
    }

    /** Told to clients that asked for the board. */
    default E createChoiceOffered(int player) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createChoiceOffered");
    }

    /** Told to clients that asked for the board. */
    default E createTurnBegan(int player) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createTurnBegan");
    }

    /** Told to clients that asked for the board. */
    default E createTurnEnded(int player) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createTurnEnded");
    }

    /** Told to clients that asked for the board. */
    default E createDieSpent(int player, int value) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createDieSpent");
    }

    /** Told to clients that asked for the board. */
    default E createEffectUsed(int character, Effect effect) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createEffectUsed");
    }

    /** Told to clients that asked for the board. */
    default E createVoteAsked(int player) {
        throw new UnsupportedOperationException("the board was asked for, and there is no createVoteAsked");
    }
}
