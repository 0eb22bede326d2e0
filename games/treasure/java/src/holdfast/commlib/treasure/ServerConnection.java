// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;
import holdfast.commlib.Server;
import java.io.IOException;
import java.util.List;

/** The server of a game of treasure, for all its clients. */
public final class ServerConnection<C> extends Server<C> {
    private final CommandFactory<C> factory;

    public ServerConnection(int port, CommandFactory<C> factory) throws IOException {
        super("treasure", port);
        this.factory = factory;
    }

    public void sendSeated(int client, Player player, String id, String account, List<Integer> key) {
        send(client, "Seated", Json.object()
                .with("player", player.toJson())
                .with("id", Json.of(id))
                .with("account", Json.of(account))
                .with("key", Json.list(key, it -> Json.of(it))), null);
    }

    public void sendRefused(int client, Refusal refusal, String text) {
        send(client, "Refused", Json.object().with("refusal", refusal.toJson()), text);
    }

    /** Without the facts of the refusal. */
    public void sendRefused(int client, String text) {
        send(client, "Refused", Json.object(), text);
    }

    public void sendFailed(int client, Refusal refusal, String text) {
        send(client, "Failed", Json.object().with("refusal", refusal.toJson()), text);
    }

    /** Without the facts of the refusal. */
    public void sendFailed(int client, String text) {
        send(client, "Failed", Json.object(), text);
    }

    public void sendNoted(int client, int number, Refusal refusal, String text) {
        send(client, "Noted", Json.object().with("number", Json.of(number)).with("refusal", refusal.toJson()), text);
    }

    public void sendRegistered(int client, Player player, String first_name, String last_name, String account) {
        send(client, "Registered", Json.object()
                .with("player", player.toJson())
                .with("first_name", Json.of(first_name))
                .with("last_name", Json.of(last_name))
                .with("account", account, it -> Json.of(it)), null);
    }

    public void sendBegan(int client, Player starter) {
        send(client, "Began", Json.object().with("starter", starter.toJson()), null);
    }

    public void sendHalfTaken(int client, Player player, Long action) {
        send(client, "HalfTaken", Json.object()
                .with("player", player.toJson())
                .with("action", action, it -> Json.of(it)), null);
    }

    public void sendHalfRejected(int client, Player player, Long action, Report report, List<Violation> violations) {
        send(client, "HalfRejected", Json.object()
                .with("player", player.toJson())
                .with("action", action, it -> Json.of(it))
                .with("report", report.toJson())
                .with("violations", Json.list(violations, it -> it.toJson())), null);
    }

    public void sendHalfKept(int client, Report report, Position fort, Coding coding) {
        send(client, "HalfKept", Json.object()
                .with("report", report.toJson())
                .with("fort", fort.toJson())
                .with("coding", coding, it -> it.toJson()), null);
    }

    public void sendCharted(int client, Player player, Placement placement, Report report, List<Terrain> terrain) {
        send(client, "Charted", Json.object()
                .with("player", player.toJson())
                .with("placement", placement.toJson())
                .with("report", report.toJson())
                .with("terrain", Json.list(terrain, it -> it.toJson())), null);
    }

    public void sendAppeared(int client, Position first, Position second) {
        send(client, "Appeared", Json.object().with("first", first.toJson()).with("second", second.toJson()), null);
    }

    public void sendActed(int client, Player player, long action, Direction step) {
        send(client, "Acted", Json.object()
                .with("player", player.toJson())
                .with("action", Json.of(action))
                .with("step", step, it -> it.toJson()), null);
    }

    public void sendMoved(int client, Position to) {
        send(client, "Moved", Json.object().with("to", to.toJson()), null);
    }

    public void sendSpent(int client, Direction direction, int left) {
        send(client, "Spent", Json.object().with("direction", direction.toJson()).with("left", Json.of(left)), null);
    }

    public void sendWaited(int client) {
        send(client, "Waited", Json.object(), null);
    }

    public void sendTreasureSeen(int client, Position at) {
        send(client, "TreasureSeen", Json.object().with("at", at.toJson()), null);
    }

    public void sendTreasureTaken(int client, Position at) {
        send(client, "TreasureTaken", Json.object().with("at", at.toJson()), null);
    }

    public void sendFortSeen(int client, Position at) {
        send(client, "FortSeen", Json.object().with("at", at.toJson()), null);
    }

    public void sendCollected(int client, Player player) {
        send(client, "Collected", Json.object().with("player", player.toJson()), null);
    }

    public void sendFinished(int client, Outcome outcome, String text) {
        send(client, "Finished", Json.object().with("outcome", outcome.toJson()), text);
    }

    @Override
    protected C command(int client, Json command) {
        Json body = command.body();
        return switch (command.kind()) {
            case "Register" -> factory.createRegister(
                    client,
                    body.field("id").asString(),
                    body.field("first_name").asString(),
                    body.field("last_name").asString(),
                    body.field("account").asString());
            case "SendHalf" -> factory.createSendHalf(
                    client,
                    body.field("fields").list(it -> Field.read(it)),
                    body.maybe("coding").orNull(it -> Coding.read(it)));
            case "Move" -> factory.createMove(client, Direction.read(body.field("direction")));
            case "Update" -> factory.createUpdate(
                    client,
                    body.field("x").asInt(),
                    body.field("y").asInt(),
                    body.field("wanted_x").asInt(),
                    body.field("wanted_y").asInt(),
                    body.field("turns").asInt());
            case "Garbled" -> factory.createGarbled(client, body.field("problem").asString());
            case "Remove" -> factory.createRemove(client);
            default -> throw command.unknown();
        };
    }

    @Override
    protected List<CommandForm> positions() {
        return POSITIONS;
    }

    private static final List<CommandForm> POSITIONS = List.of(
            new CommandForm("Register", 4, List.of("id", "first_name", "last_name", "account")),
            new CommandForm("SendHalf", 1, List.of("fields", "coding")),
            new CommandForm("Move", 1, List.of("direction")),
            new CommandForm("Update", 5, List.of("x", "y", "wanted_x", "wanted_y", "turns")),
            new CommandForm("Garbled", 1, List.of("problem")),
            new CommandForm("Remove", 0, List.of()));
}
