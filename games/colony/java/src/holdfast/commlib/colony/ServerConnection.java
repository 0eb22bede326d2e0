// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

import holdfast.commlib.Json;
import holdfast.commlib.Server;
import java.io.IOException;
import java.util.List;

/** The server of a game of colony, for all its clients. */
public final class ServerConnection<C> extends Server<C> {
    private final CommandFactory<C> factory;

    public ServerConnection(int port, CommandFactory<C> factory) throws IOException {
        super("colony", port);
        this.factory = factory;
    }

    public void sendConfig(int client, String text) {
        send(client, "Config", Json.object(), text);
    }

    public void sendActNow(int client) {
        send(client, "ActNow", Json.object(), null);
    }

    public void sendCharacters(int client, int c0, int c1, int c2, int c3) {
        send(client, "Characters", Json.object()
                .with("c0", Json.of(c0))
                .with("c1", Json.of(c1))
                .with("c2", Json.of(c2))
                .with("c3", Json.of(c3)), null);
    }

    public void sendCommandFailed(int client, Refusal refusal, String text) {
        send(client, "CommandFailed", Json.object().with("refusal", refusal.toJson()), text);
    }

    /** Without the facts of the refusal. */
    public void sendCommandFailed(int client, String text) {
        send(client, "CommandFailed", Json.object(), text);
    }

    public void sendVoteNow(int client) {
        send(client, "VoteNow", Json.object(), null);
    }

    public void sendRegistrationAborted(int client) {
        send(client, "RegistrationAborted", Json.object(), null);
    }

    public void sendGameStarted(int client) {
        send(client, "GameStarted", Json.object(), null);
    }

    public void sendPlayer(int client, int player, String name) {
        send(client, "Player", Json.object().with("player", Json.of(player)).with("name", Json.of(name)), null);
    }

    public void sendCharacterSpawned(int client, int player, int character) {
        send(client, "CharacterSpawned", Json.object()
                .with("player", Json.of(player))
                .with("character", Json.of(character)), null);
    }

    public void sendChildSpawned(int client) {
        send(client, "ChildSpawned", Json.object(), null);
    }

    public void sendCardDrawn(int client, int player, int card) {
        send(client, "CardDrawn", Json.object().with("player", Json.of(player)).with("card", Json.of(card)), null);
    }

    public void sendNextRound(int client, long round) {
        send(client, "NextRound", Json.object().with("round", Json.of(round)), null);
    }

    public void sendCrisis(int client, int crisis) {
        send(client, "Crisis", Json.object().with("crisis", Json.of(crisis)), null);
    }

    public void sendDieRolled(int client, int player, int value) {
        send(client, "DieRolled", Json.object().with("player", Json.of(player)).with("value", Json.of(value)), null);
    }

    public void sendMoved(int client, int character, int location, Boolean fuel) {
        send(client, "Moved", Json.object()
                .with("character", Json.of(character))
                .with("location", Json.of(location))
                .with("fuel", fuel, it -> Json.of(it)), null);
    }

    public void sendZombieKilled(int client, int character, int location, int entrance) {
        send(client, "ZombieKilled", Json.object()
                .with("character", Json.of(character))
                .with("location", Json.of(location))
                .with("entrance", Json.of(entrance)), null);
    }

    public void sendBarricaded(int client, int character, int location, int entrance) {
        send(client, "Barricaded", Json.object()
                .with("character", Json.of(character))
                .with("location", Json.of(location))
                .with("entrance", Json.of(entrance)), null);
    }

    public void sendSearched(int client, int character, int location) {
        send(client, "Searched", Json.object()
                .with("character", Json.of(character))
                .with("location", Json.of(location)), null);
    }

    public void sendWasteChanged(int client, int amount) {
        send(client, "WasteChanged", Json.object().with("amount", Json.of(amount)), null);
    }

    public void sendContributed(int client, int player, int card) {
        send(client, "Contributed", Json.object().with("player", Json.of(player)).with("card", Json.of(card)), null);
    }

    public void sendCardUsed(int client, int card, Integer character, Integer target) {
        send(client, "CardUsed", Json.object()
                .with("card", Json.of(card))
                .with("character", character, it -> Json.of(it))
                .with("target", target, it -> Json.of(it)), null);
    }

    public void sendAbilityUsed(int client, int character, Integer target) {
        send(client, "AbilityUsed", Json.object()
                .with("character", Json.of(character))
                .with("target", target, it -> Json.of(it)), null);
    }

    public void sendFoodChanged(int client, int amount, FoodChange reason) {
        send(client, "FoodChanged", Json.object()
                .with("amount", Json.of(amount))
                .with("reason", reason.toJson()), null);
    }

    public void sendMoralChanged(int client, int amount, MoralChange reason) {
        send(client, "MoralChanged", Json.object()
                .with("amount", Json.of(amount))
                .with("reason", reason.toJson()), null);
    }

    public void sendWounded(int client, int character) {
        send(client, "Wounded", Json.object().with("character", Json.of(character)), null);
    }

    public void sendFrostbitten(int client, int character) {
        send(client, "Frostbitten", Json.object().with("character", Json.of(character)), null);
    }

    public void sendBitten(int client, Integer character) {
        send(client, "Bitten", Json.object().with("character", character, it -> Json.of(it)), null);
    }

    public void sendSurvivorKilled(int client, int character) {
        send(client, "SurvivorKilled", Json.object().with("character", Json.of(character)), null);
    }

    public void sendChildKilled(int client) {
        send(client, "ChildKilled", Json.object(), null);
    }

    public void sendColonyPhaseStarted(int client) {
        send(client, "ColonyPhaseStarted", Json.object(), null);
    }

    public void sendStarvationTokenAdded(int client) {
        send(client, "StarvationTokenAdded", Json.object(), null);
    }

    public void sendZombieSpawned(int client, int location, int entrance) {
        send(client, "ZombieSpawned", Json.object()
                .with("location", Json.of(location))
                .with("entrance", Json.of(entrance)), null);
    }

    public void sendBarricadeDestroyed(int client, int location, int entrance) {
        send(client, "BarricadeDestroyed", Json.object()
                .with("location", Json.of(location))
                .with("entrance", Json.of(entrance)), null);
    }

    public void sendLeft(int client, int player) {
        send(client, "Left", Json.object().with("player", Json.of(player)), null);
    }

    public void sendGameEnd(int client, boolean win) {
        send(client, "GameEnd", Json.object().with("win", Json.of(win)), null);
    }

    public void sendCrossroad(int client, int fate) {
        send(client, "Crossroad", Json.object().with("fate", Json.of(fate)), null);
    }

    public void sendVoteResult(int client, boolean answer) {
        send(client, "VoteResult", Json.object().with("answer", Json.of(answer)), null);
    }

    public void sendRegistered(int client, int player, String name) {
        send(client, "Registered", Json.object().with("player", Json.of(player)).with("name", Json.of(name)), null);
    }

    public void sendChoiceOffered(int client, int player) {
        send(client, "ChoiceOffered", Json.object().with("player", Json.of(player)), null);
    }

    public void sendTurnBegan(int client, int player) {
        send(client, "TurnBegan", Json.object().with("player", Json.of(player)), null);
    }

    public void sendTurnEnded(int client, int player) {
        send(client, "TurnEnded", Json.object().with("player", Json.of(player)), null);
    }

    public void sendDieSpent(int client, int player, int value) {
        send(client, "DieSpent", Json.object().with("player", Json.of(player)).with("value", Json.of(value)), null);
    }

    public void sendEffectUsed(int client, int character, Effect effect) {
        send(client, "EffectUsed", Json.object()
                .with("character", Json.of(character))
                .with("effect", effect.toJson()), null);
    }

    public void sendVoteAsked(int client, int player) {
        send(client, "VoteAsked", Json.object().with("player", Json.of(player)), null);
    }

    @Override
    protected C command(int client, Json command) {
        Json body = command.body();
        return switch (command.kind()) {
            case "Register" -> factory.createRegister(client, body.field("name").asString());
            case "StartGame" -> factory.createStartGame(client);
            case "SelectCharacters" -> factory.createSelectCharacters(
                    client,
                    body.field("first").asInt(),
                    body.field("second").asInt());
            case "Move" -> factory.createMove(
                    client,
                    body.field("character").asInt(),
                    body.field("location").asInt(),
                    body.maybe("fuel").orNull(it -> it.asBoolean()));
            case "Attack" -> factory.createAttack(
                    client,
                    body.field("character").asInt(),
                    body.field("entrance").asInt());
            case "Barricade" -> factory.createBarricade(
                    client,
                    body.field("character").asInt(),
                    body.field("entrance").asInt());
            case "Search" -> factory.createSearch(client, body.field("character").asInt());
            case "CleanWaste" -> factory.createCleanWaste(client, body.field("character").asInt());
            case "ContributeCard" -> factory.createContributeCard(client, body.field("card").asInt());
            case "UseCard" -> factory.createUseCard(
                    client,
                    body.field("card").asInt(),
                    body.maybe("character").orNull(it -> it.asInt()),
                    body.maybe("target").orNull(it -> it.asInt()));
            case "UseAbility" -> factory.createUseAbility(
                    client,
                    body.field("character").asInt(),
                    body.maybe("target").orNull(it -> it.asInt()));
            case "EndTurn" -> factory.createEndTurn(client);
            case "Leave" -> factory.createLeave(client);
            case "Vote" -> factory.createVote(client, body.field("answer").asBoolean());
            case "WrongArguments" -> factory.createWrongArguments(
                    client,
                    body.field("command").asInt(0, 255),
                    body.field("given").asInt(0, 255));
            default -> throw command.unknown();
        };
    }

    @Override
    protected List<CommandForm> positions() {
        return POSITIONS;
    }

    private static final List<CommandForm> POSITIONS = List.of(
            new CommandForm("Register", 1, List.of("name")),
            new CommandForm("StartGame", 0, List.of()),
            new CommandForm("SelectCharacters", 2, List.of("first", "second")),
            new CommandForm("Move", 2, List.of("character", "location", "fuel")),
            new CommandForm("Attack", 2, List.of("character", "entrance")),
            new CommandForm("Barricade", 2, List.of("character", "entrance")),
            new CommandForm("Search", 1, List.of("character")),
            new CommandForm("CleanWaste", 1, List.of("character")),
            new CommandForm("ContributeCard", 1, List.of("card")),
            new CommandForm("UseCard", 1, List.of("card", "character", "target")),
            new CommandForm("UseAbility", 1, List.of("character", "target")),
            new CommandForm("EndTurn", 0, List.of()),
            new CommandForm("Leave", 0, List.of()),
            new CommandForm("Vote", 1, List.of("answer")),
            new CommandForm("WrongArguments", 2, List.of("command", "given")));
}
