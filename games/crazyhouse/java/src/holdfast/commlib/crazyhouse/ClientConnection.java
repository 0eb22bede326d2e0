// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.crazyhouse;

import holdfast.commlib.Connection;
import holdfast.commlib.Json;

/** A client of a game of crazyhouse. */
public final class ClientConnection<E> extends Connection<E> {
    private final EventFactory<E> factory;

    public ClientConnection(String host, int port, EventFactory<E> factory) {
        super(host, port);
        this.factory = factory;
    }

    public void sendJoin(String name) {
        send("Join", Json.object().with("name", Json.of(name)));
    }

    public void sendJoin(String name, Side side) {
        send("Join", Json.object().with("name", Json.of(name)).with("side", side, it -> it.toJson()));
    }

    public void sendMove(String text) {
        send("Move", Json.object().with("text", Json.of(text)));
    }

    public void sendOfferDraw() {
        send("OfferDraw", Json.object());
    }

    public void sendAcceptDraw() {
        send("AcceptDraw", Json.object());
    }

    public void sendDeclineDraw() {
        send("DeclineDraw", Json.object());
    }

    public void sendResign() {
        send("Resign", Json.object());
    }

    public void sendResign(String because) {
        send("Resign", Json.object().with("because", because, it -> Json.of(it)));
    }

    public void sendAbort() {
        send("Abort", Json.object());
    }

    public void sendAskTakeback() {
        send("AskTakeback", Json.object());
    }

    public void sendAllowTakeback() {
        send("AllowTakeback", Json.object());
    }

    public void sendRefuseTakeback() {
        send("RefuseTakeback", Json.object());
    }

    public void sendClaim() {
        send("Claim", Json.object());
    }

    @Override
    protected E event(Json event, String text) {
        Json body = event.body();
        return switch (event.kind()) {
            case "Seated" -> factory.createSeated(Side.read(body.field("side")));
            case "Refused" -> factory.createRefused(Refusal.read(body.field("refusal")), text);
            case "Joined" -> factory.createJoined(Side.read(body.field("side")), body.field("name").asString());
            case "Began" -> factory.createBegan(
                    body.field("white").asString(),
                    body.field("black").asString(),
                    body.field("position").asString(),
                    body.maybe("clock").orNull(it -> Pace.read(it)));
            case "Moved" -> factory.createMoved(
                    Side.read(body.field("side")),
                    body.field("text").asString(),
                    body.field("position").asString(),
                    body.field("check").asBoolean(),
                    body.maybe("left").orNull(it -> it.asUnsigned()));
            case "DrawOffered" -> factory.createDrawOffered(Side.read(body.field("side")));
            case "DrawDeclined" -> factory.createDrawDeclined(Side.read(body.field("side")));
            case "Finished" -> factory.createFinished(
                    Outcome.read(body.field("outcome")),
                    body.maybe("because").orNull(it -> it.asString()),
                    text);
            case "TakebackAsked" -> factory.createTakebackAsked(Side.read(body.field("side")));
            case "TakebackRefused" -> factory.createTakebackRefused(Side.read(body.field("side")));
            case "TakenBack" -> factory.createTakenBack(
                    Side.read(body.field("side")),
                    body.field("moves").asInt(0, 255),
                    body.field("position").asString(),
                    body.maybe("white_left").orNull(it -> it.asUnsigned()),
                    body.maybe("black_left").orNull(it -> it.asUnsigned()));
            default -> throw event.unknown();
        };
    }
}
