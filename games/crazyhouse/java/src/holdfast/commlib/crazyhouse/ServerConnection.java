// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.crazyhouse;

import holdfast.commlib.Json;
import holdfast.commlib.Server;
import java.io.IOException;
import java.util.List;

/** The server of a game of crazyhouse, for all its clients. */
public final class ServerConnection<C> extends Server<C> {
    private final CommandFactory<C> factory;

    public ServerConnection(int port, CommandFactory<C> factory) throws IOException {
        super("crazyhouse", port);
        this.factory = factory;
    }

    public void sendSeated(int client, Side side) {
        send(client, "Seated", Json.object().with("side", side.toJson()), null);
    }

    public void sendRefused(int client, Refusal refusal, String text) {
        send(client, "Refused", Json.object().with("refusal", refusal.toJson()), text);
    }

    /** Without the facts of the refusal. */
    public void sendRefused(int client, String text) {
        send(client, "Refused", Json.object(), text);
    }

    public void sendJoined(int client, Side side, String name) {
        send(client, "Joined", Json.object().with("side", side.toJson()).with("name", Json.of(name)), null);
    }

    public void sendBegan(int client, String white, String black, String position, Pace clock) {
        send(client, "Began", Json.object()
                .with("white", Json.of(white))
                .with("black", Json.of(black))
                .with("position", Json.of(position))
                .with("clock", clock, it -> it.toJson()), null);
    }

    public void sendMoved(int client, Side side, String text, String position, boolean check, Long left) {
        send(client, "Moved", Json.object()
                .with("side", side.toJson())
                .with("text", Json.of(text))
                .with("position", Json.of(position))
                .with("check", Json.of(check))
                .with("left", left, it -> Json.ofUnsigned(it)), null);
    }

    public void sendDrawOffered(int client, Side side) {
        send(client, "DrawOffered", Json.object().with("side", side.toJson()), null);
    }

    public void sendDrawDeclined(int client, Side side) {
        send(client, "DrawDeclined", Json.object().with("side", side.toJson()), null);
    }

    public void sendFinished(int client, Outcome outcome, String because, String text) {
        send(client, "Finished", Json.object()
                .with("outcome", outcome.toJson())
                .with("because", because, it -> Json.of(it)), text);
    }

    public void sendTakebackAsked(int client, Side side) {
        send(client, "TakebackAsked", Json.object().with("side", side.toJson()), null);
    }

    public void sendTakebackRefused(int client, Side side) {
        send(client, "TakebackRefused", Json.object().with("side", side.toJson()), null);
    }

    public void sendTakenBack(int client, Side side, int moves, String position, Long white_left, Long black_left) {
        send(client, "TakenBack", Json.object()
                .with("side", side.toJson())
                .with("moves", Json.of(moves))
                .with("position", Json.of(position))
                .with("white_left", white_left, it -> Json.ofUnsigned(it))
                .with("black_left", black_left, it -> Json.ofUnsigned(it)), null);
    }

    @Override
    protected C command(int client, Json command) {
        Json body = command.body();
        return switch (command.kind()) {
            case "Join" -> factory.createJoin(
                    client,
                    body.field("name").asString(),
                    body.maybe("side").orNull(it -> Side.read(it)));
            case "Move" -> factory.createMove(client, body.field("text").asString());
            case "OfferDraw" -> factory.createOfferDraw(client);
            case "AcceptDraw" -> factory.createAcceptDraw(client);
            case "DeclineDraw" -> factory.createDeclineDraw(client);
            case "Resign" -> factory.createResign(client, body.maybe("because").orNull(it -> it.asString()));
            case "Abort" -> factory.createAbort(client);
            case "AskTakeback" -> factory.createAskTakeback(client);
            case "AllowTakeback" -> factory.createAllowTakeback(client);
            case "RefuseTakeback" -> factory.createRefuseTakeback(client);
            case "Claim" -> factory.createClaim(client);
            default -> throw command.unknown();
        };
    }

    @Override
    protected List<CommandForm> positions() {
        return POSITIONS;
    }

    private static final List<CommandForm> POSITIONS = List.of(
            new CommandForm("Join", 1, List.of("name", "side")),
            new CommandForm("Move", 1, List.of("text")),
            new CommandForm("OfferDraw", 0, List.of()),
            new CommandForm("AcceptDraw", 0, List.of()),
            new CommandForm("DeclineDraw", 0, List.of()),
            new CommandForm("Resign", 0, List.of("because")),
            new CommandForm("Abort", 0, List.of()),
            new CommandForm("AskTakeback", 0, List.of()),
            new CommandForm("AllowTakeback", 0, List.of()),
            new CommandForm("RefuseTakeback", 0, List.of()),
            new CommandForm("Claim", 0, List.of()));
}
