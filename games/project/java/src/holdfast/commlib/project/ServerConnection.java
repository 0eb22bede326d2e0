// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;
import holdfast.commlib.Server;
import java.io.IOException;
import java.util.List;

/** The server of a game of project, for all its clients. */
public final class ServerConnection<C> extends Server<C> {
    private final CommandFactory<C> factory;

    public ServerConnection(int port, CommandFactory<C> factory) throws IOException {
        super("project", port);
        this.factory = factory;
    }

    public void sendConfirmed(int client, long player) {
        send(client, "Confirmed", Json.object().with("player", Json.of(player)), null);
    }

    public void sendRefused(int client, Refusal refusal, String text) {
        send(client, "Refused", Json.object().with("refusal", refusal.toJson()), text);
    }

    /** Without the facts of the refusal. */
    public void sendRefused(int client, String text) {
        send(client, "Refused", Json.object(), text);
    }

    public void sendTeamGiven(int client, String context, Team team, boolean leader) {
        send(client, "TeamGiven", Json.object()
                .with("context", context, it -> Json.of(it))
                .with("team", team.toJson())
                .with("leader", Json.of(leader)), null);
    }

    public void sendStarted(int client, List<Member> players, int width, int height, Position position) {
        send(client, "Started", Json.object()
                .with("players", Json.list(players, it -> it.toJson()))
                .with("width", Json.of(width))
                .with("height", Json.of(height))
                .with("position", position.toJson()), null);
    }

    public void sendAnswered(int client, String context, Answer answer) {
        send(client, "Answered", Json.object().with("context", Json.of(context)).with("answer", answer.toJson()), null);
    }

    public void sendRepeated(int client, String context, Answer answer) {
        send(client, "Repeated", Json.object().with("context", Json.of(context)).with("answer", answer.toJson()), null);
    }

    public void sendNoted(int client, Note note, String text) {
        send(client, "Noted", Json.object().with("note", note.toJson()), text);
    }

    public void sendJoined(int client, long player) {
        send(client, "Joined", Json.object().with("player", Json.of(player)), null);
    }

    public void sendTeamJoined(int client, long player, Team team) {
        send(client, "TeamJoined", Json.object().with("player", Json.of(player)).with("team", team.toJson()), null);
    }

    public void sendBegan(int client) {
        send(client, "Began", Json.object(), null);
    }

    public void sendActed(int client, long player) {
        send(client, "Acted", Json.object().with("player", Json.of(player)), null);
    }

    public void sendScored(int client, Team team) {
        send(client, "Scored", Json.object().with("team", team.toJson()), null);
    }

    public void sendLost(int client, long player) {
        send(client, "Lost", Json.object().with("player", Json.of(player)), null);
    }

    public void sendReturned(int client, long player) {
        send(client, "Returned", Json.object().with("player", Json.of(player)), null);
    }

    public void sendLeft(int client, long player) {
        send(client, "Left", Json.object().with("player", Json.of(player)), null);
    }

    public void sendEnded(int client, Outcome outcome, String text) {
        send(client, "Ended", Json.object().with("outcome", outcome.toJson()), text);
    }

    public void sendLearnt(int client, long from, List<Hearsay> tiles) {
        send(client, "Learnt", Json.object()
                .with("from", Json.of(from))
                .with("tiles", Json.list(tiles, it -> it.toJson())), null);
    }

    public void sendTold(int client, long from, long to) {
        send(client, "Told", Json.object().with("from", Json.of(from)).with("to", Json.of(to)), null);
    }

    @Override
    protected C command(int client, Json command) {
        Json body = command.body();
        return switch (command.kind()) {
            case "Join" -> factory.createJoin(client, body.field("hash").asString());
            case "ChooseTeam" -> factory.createChooseTeam(
                    client,
                    body.field("id").asString(),
                    Team.read(body.field("team")));
            case "Move" -> factory.createMove(
                    client,
                    body.field("id").asString(),
                    Direction.read(body.field("direction")));
            case "Discover" -> factory.createDiscover(client, body.field("id").asString());
            case "PickUp" -> factory.createPickUp(client, body.field("id").asString());
            case "Test" -> factory.createTest(client, body.field("id").asString());
            case "Place" -> factory.createPlace(client, body.field("id").asString());
            case "Lost" -> factory.createLost(client);
            case "Fail" -> factory.createFail(client, body.field("because").asString());
            case "Exchanged" -> factory.createExchanged(
                    client,
                    body.field("from").asLong(0, 4294967295L),
                    body.field("to").asLong(0, 4294967295L),
                    body.field("tiles").list(it -> Hearsay.read(it)));
            default -> throw command.unknown();
        };
    }

    @Override
    protected List<CommandForm> positions() {
        return POSITIONS;
    }

    private static final List<CommandForm> POSITIONS = List.of(
            new CommandForm("Join", 1, List.of("hash")),
            new CommandForm("ChooseTeam", 2, List.of("id", "team")),
            new CommandForm("Move", 2, List.of("id", "direction")),
            new CommandForm("Discover", 1, List.of("id")),
            new CommandForm("PickUp", 1, List.of("id")),
            new CommandForm("Test", 1, List.of("id")),
            new CommandForm("Place", 1, List.of("id")),
            new CommandForm("Lost", 0, List.of()),
            new CommandForm("Fail", 1, List.of("because")),
            new CommandForm("Exchanged", 3, List.of("from", "to", "tiles")));
}
