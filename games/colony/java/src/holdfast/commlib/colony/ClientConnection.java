// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

import holdfast.commlib.Connection;
import holdfast.commlib.Json;

/** A client of a game of colony. */
public final class ClientConnection<E> extends Connection<E> {
    private final EventFactory<E> factory;

    public ClientConnection(String host, int port, EventFactory<E> factory) {
        super(host, port);
        this.factory = factory;
    }

    public void sendRegister(String name) {
        send("Register", Json.object().with("name", Json.of(name)));
    }

    public void sendStartGame() {
        send("StartGame", Json.object());
    }

    public void sendSelectCharacters(int first, int second) {
        send("SelectCharacters", Json.object().with("first", Json.of(first)).with("second", Json.of(second)));
    }

    public void sendMove(int character, int location) {
        send("Move", Json.object().with("character", Json.of(character)).with("location", Json.of(location)));
    }

    public void sendMove(int character, int location, Boolean fuel) {
        send("Move", Json.object()
                .with("character", Json.of(character))
                .with("location", Json.of(location))
                .with("fuel", fuel, it -> Json.of(it)));
    }

    public void sendAttack(int character, int entrance) {
        send("Attack", Json.object().with("character", Json.of(character)).with("entrance", Json.of(entrance)));
    }

    public void sendBarricade(int character, int entrance) {
        send("Barricade", Json.object().with("character", Json.of(character)).with("entrance", Json.of(entrance)));
    }

    public void sendSearch(int character) {
        send("Search", Json.object().with("character", Json.of(character)));
    }

    public void sendCleanWaste(int character) {
        send("CleanWaste", Json.object().with("character", Json.of(character)));
    }

    public void sendContributeCard(int card) {
        send("ContributeCard", Json.object().with("card", Json.of(card)));
    }

    public void sendUseCard(int card) {
        send("UseCard", Json.object().with("card", Json.of(card)));
    }

    public void sendUseCard(int card, Integer character, Integer target) {
        send("UseCard", Json.object()
                .with("card", Json.of(card))
                .with("character", character, it -> Json.of(it))
                .with("target", target, it -> Json.of(it)));
    }

    public void sendUseAbility(int character) {
        send("UseAbility", Json.object().with("character", Json.of(character)));
    }

    public void sendUseAbility(int character, Integer target) {
        send("UseAbility", Json.object()
                .with("character", Json.of(character))
                .with("target", target, it -> Json.of(it)));
    }

    public void sendEndTurn() {
        send("EndTurn", Json.object());
    }

    public void sendLeave() {
        send("Leave", Json.object());
    }

    public void sendVote(boolean answer) {
        send("Vote", Json.object().with("answer", Json.of(answer)));
    }

    public void sendWrongArguments(int command, int given) {
        send("WrongArguments", Json.object().with("command", Json.of(command)).with("given", Json.of(given)));
    }

    @Override
    protected E event(Json event, String text) {
        Json body = event.body();
        return switch (event.kind()) {
            case "Config" -> factory.createConfig(text);
            case "ActNow" -> factory.createActNow();
            case "Characters" -> factory.createCharacters(
                    body.field("c0").asInt(),
                    body.field("c1").asInt(),
                    body.field("c2").asInt(),
                    body.field("c3").asInt());
            case "CommandFailed" -> factory.createCommandFailed(Refusal.read(body.field("refusal")), text);
            case "VoteNow" -> factory.createVoteNow();
            case "RegistrationAborted" -> factory.createRegistrationAborted();
            case "GameStarted" -> factory.createGameStarted();
            case "Player" -> factory.createPlayer(body.field("player").asInt(0, 65535), body.field("name").asString());
            case "CharacterSpawned" -> factory.createCharacterSpawned(
                    body.field("player").asInt(0, 65535),
                    body.field("character").asInt());
            case "ChildSpawned" -> factory.createChildSpawned();
            case "CardDrawn" -> factory.createCardDrawn(
                    body.field("player").asInt(0, 65535),
                    body.field("card").asInt());
            case "NextRound" -> factory.createNextRound(body.field("round").asLong(0, 4294967295L));
            case "Crisis" -> factory.createCrisis(body.field("crisis").asInt());
            case "DieRolled" -> factory.createDieRolled(
                    body.field("player").asInt(0, 65535),
                    body.field("value").asInt(0, 255));
            case "Moved" -> factory.createMoved(
                    body.field("character").asInt(),
                    body.field("location").asInt(),
                    body.maybe("fuel").orNull(it -> it.asBoolean()));
            case "ZombieKilled" -> factory.createZombieKilled(
                    body.field("character").asInt(),
                    body.field("location").asInt(),
                    body.field("entrance").asInt());
            case "Barricaded" -> factory.createBarricaded(
                    body.field("character").asInt(),
                    body.field("location").asInt(),
                    body.field("entrance").asInt());
            case "Searched" -> factory.createSearched(body.field("character").asInt(), body.field("location").asInt());
            case "WasteChanged" -> factory.createWasteChanged(body.field("amount").asInt());
            case "Contributed" -> factory.createContributed(
                    body.field("player").asInt(0, 65535),
                    body.field("card").asInt());
            case "CardUsed" -> factory.createCardUsed(
                    body.field("card").asInt(),
                    body.maybe("character").orNull(it -> it.asInt()),
                    body.maybe("target").orNull(it -> it.asInt()));
            case "AbilityUsed" -> factory.createAbilityUsed(
                    body.field("character").asInt(),
                    body.maybe("target").orNull(it -> it.asInt()));
            case "FoodChanged" -> factory.createFoodChanged(
                    body.field("amount").asInt(),
                    FoodChange.read(body.field("reason")));
            case "MoralChanged" -> factory.createMoralChanged(
                    body.field("amount").asInt(),
                    MoralChange.read(body.field("reason")));
            case "Wounded" -> factory.createWounded(body.field("character").asInt());
            case "Frostbitten" -> factory.createFrostbitten(body.field("character").asInt());
            case "Bitten" -> factory.createBitten(body.maybe("character").orNull(it -> it.asInt()));
            case "SurvivorKilled" -> factory.createSurvivorKilled(body.field("character").asInt());
            case "ChildKilled" -> factory.createChildKilled();
            case "ColonyPhaseStarted" -> factory.createColonyPhaseStarted();
            case "StarvationTokenAdded" -> factory.createStarvationTokenAdded();
            case "ZombieSpawned" -> factory.createZombieSpawned(
                    body.field("location").asInt(),
                    body.field("entrance").asInt());
            case "BarricadeDestroyed" -> factory.createBarricadeDestroyed(
                    body.field("location").asInt(),
                    body.field("entrance").asInt());
            case "Left" -> factory.createLeft(body.field("player").asInt(0, 65535));
            case "GameEnd" -> factory.createGameEnd(body.field("win").asBoolean());
            case "Crossroad" -> factory.createCrossroad(body.field("fate").asInt());
            case "VoteResult" -> factory.createVoteResult(body.field("answer").asBoolean());
            case "Registered" -> factory.createRegistered(
                    body.field("player").asInt(0, 65535),
                    body.field("name").asString());
            case "ChoiceOffered" -> factory.createChoiceOffered(body.field("player").asInt(0, 65535));
            case "TurnBegan" -> factory.createTurnBegan(body.field("player").asInt(0, 65535));
            case "TurnEnded" -> factory.createTurnEnded(body.field("player").asInt(0, 65535));
            case "DieSpent" -> factory.createDieSpent(
                    body.field("player").asInt(0, 65535),
                    body.field("value").asInt(0, 255));
            case "EffectUsed" -> factory.createEffectUsed(
                    body.field("character").asInt(),
                    Effect.read(body.field("effect")));
            case "VoteAsked" -> factory.createVoteAsked(body.field("player").asInt(0, 65535));
            default -> throw event.unknown();
        };
    }
}
