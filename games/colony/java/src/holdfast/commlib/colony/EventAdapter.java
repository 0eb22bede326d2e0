// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

/** A factory for some events only; all others are {@link #other}. */
public abstract class EventAdapter<E> implements EventFactory<E> {
    /** The value of an event whose method is not overridden. */
    protected abstract E other();

    @Override
    public E createConfig(String text) {
        return other();
    }

    @Override
    public E createActNow() {
        return other();
    }

    @Override
    public E createCharacters(int c0, int c1, int c2, int c3) {
        return other();
    }

    @Override
    public E createCommandFailed(Refusal refusal, String text) {
        return other();
    }

    @Override
    public E createVoteNow() {
        return other();
    }

    @Override
    public E createRegistrationAborted() {
        return other();
    }

    @Override
    public E createGameStarted() {
        return other();
    }

    @Override
    public E createPlayer(int player, String name) {
        return other();
    }

    @Override
    public E createCharacterSpawned(int player, int character) {
        return other();
    }

    @Override
    public E createChildSpawned() {
        return other();
    }

    @Override
    public E createCardDrawn(int player, int card) {
        return other();
    }

    @Override
    public E createNextRound(long round) {
        return other();
    }

    @Override
    public E createCrisis(int crisis) {
        return other();
    }

    @Override
    public E createDieRolled(int player, int value) {
        return other();
    }

    @Override
    public E createMoved(int character, int location, Boolean fuel) {
        return other();
    }

    @Override
    public E createZombieKilled(int character, int location, int entrance) {
        return other();
    }

    @Override
    public E createBarricaded(int character, int location, int entrance) {
        return other();
    }

    @Override
    public E createSearched(int character, int location) {
        return other();
    }

    @Override
    public E createWasteChanged(int amount) {
        return other();
    }

    @Override
    public E createContributed(int player, int card) {
        return other();
    }

    @Override
    public E createCardUsed(int card, Integer character, Integer target) {
        return other();
    }

    @Override
    public E createAbilityUsed(int character, Integer target) {
        return other();
    }

    @Override
    public E createFoodChanged(int amount, FoodChange reason) {
        return other();
    }

    @Override
    public E createMoralChanged(int amount, MoralChange reason) {
        return other();
    }

    @Override
    public E createWounded(int character) {
        return other();
    }

    @Override
    public E createFrostbitten(int character) {
        return other();
    }

    @Override
    public E createBitten(Integer character) {
        return other();
    }

    @Override
    public E createSurvivorKilled(int character) {
        return other();
    }

    @Override
    public E createChildKilled() {
        return other();
    }

    @Override
    public E createColonyPhaseStarted() {
        return other();
    }

    @Override
    public E createStarvationTokenAdded() {
        return other();
    }

    @Override
    public E createZombieSpawned(int location, int entrance) {
        return other();
    }

    @Override
    public E createBarricadeDestroyed(int location, int entrance) {
        return other();
    }

    @Override
    public E createLeft(int player) {
        return other();
    }

    @Override
    public E createGameEnd(boolean win) {
        return other();
    }

    @Override
    public E createCrossroad(int fate) {
        return other();
    }

    @Override
    public E createVoteResult(boolean answer) {
        return other();
    }

    @Override
    public E createRegistered(int player, String name) {
        return other();
    }

    @Override
    public E createChoiceOffered(int player) {
        return other();
    }

    @Override
    public E createTurnBegan(int player) {
        return other();
    }

    @Override
    public E createTurnEnded(int player) {
        return other();
    }

    @Override
    public E createDieSpent(int player, int value) {
        return other();
    }

    @Override
    public E createEffectUsed(int character, Effect effect) {
        return other();
    }

    @Override
    public E createVoteAsked(int player) {
        return other();
    }
}
