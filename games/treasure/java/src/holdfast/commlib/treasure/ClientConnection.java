// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Connection;
import holdfast.commlib.Json;
import java.util.List;

/** A client of a game of treasure. */
public final class ClientConnection<E> extends Connection<E> {
    private final EventFactory<E> factory;

    public ClientConnection(String host, int port, EventFactory<E> factory) {
        super(host, port);
        this.factory = factory;
    }

    public void sendRegister(String id, String first_name, String last_name, String account) {
        send("Register", Json.object()
                .with("id", Json.of(id))
                .with("first_name", Json.of(first_name))
                .with("last_name", Json.of(last_name))
                .with("account", Json.of(account)));
    }

    public void sendSendHalf(List<Field> fields) {
        send("SendHalf", Json.object().with("fields", Json.list(fields, it -> it.toJson())));
    }

    public void sendSendHalf(List<Field> fields, Coding coding) {
        send("SendHalf", Json.object()
                .with("fields", Json.list(fields, it -> it.toJson()))
                .with("coding", coding, it -> it.toJson()));
    }

    public void sendMove(Direction direction) {
        send("Move", Json.object().with("direction", direction.toJson()));
    }

    public void sendUpdate(int x, int y, int wanted_x, int wanted_y, int turns) {
        send("Update", Json.object()
                .with("x", Json.of(x))
                .with("y", Json.of(y))
                .with("wanted_x", Json.of(wanted_x))
                .with("wanted_y", Json.of(wanted_y))
                .with("turns", Json.of(turns)));
    }

    public void sendGarbled(String problem) {
        send("Garbled", Json.object().with("problem", Json.of(problem)));
    }

    public void sendRemove() {
        send("Remove", Json.object());
    }

    @Override
    protected E event(Json event, String text) {
        Json body = event.body();
        return switch (event.kind()) {
            case "Seated" -> factory.createSeated(
                    Player.read(body.field("player")),
                    body.field("id").asString(),
                    body.field("account").asString(),
                    body.field("key").list(32, it -> it.asInt(0, 255)));
            case "Refused" -> factory.createRefused(Refusal.read(body.field("refusal")), text);
            case "Failed" -> factory.createFailed(Refusal.read(body.field("refusal")), text);
            case "Noted" -> factory.createNoted(
                    body.field("number").asInt(0, 255),
                    Refusal.read(body.field("refusal")),
                    text);
            case "Registered" -> factory.createRegistered(
                    Player.read(body.field("player")),
                    body.field("first_name").asString(),
                    body.field("last_name").asString(),
                    body.maybe("account").orNull(it -> it.asString()));
            case "Began" -> factory.createBegan(Player.read(body.field("starter")));
            case "HalfTaken" -> factory.createHalfTaken(
                    Player.read(body.field("player")),
                    body.maybe("action").orNull(it -> it.asLong(0, 4294967295L)));
            case "HalfRejected" -> factory.createHalfRejected(
                    Player.read(body.field("player")),
                    body.maybe("action").orNull(it -> it.asLong(0, 4294967295L)),
                    Report.read(body.field("report")),
                    body.field("violations").list(it -> Violation.read(it)));
            case "HalfKept" -> factory.createHalfKept(
                    Report.read(body.field("report")),
                    Position.read(body.field("fort")),
                    body.maybe("coding").orNull(it -> Coding.read(it)));
            case "Charted" -> factory.createCharted(
                    Player.read(body.field("player")),
                    Placement.read(body.field("placement")),
                    Report.read(body.field("report")),
                    body.field("terrain").list(it -> Terrain.read(it)));
            case "Appeared" -> factory.createAppeared(
                    Position.read(body.field("first")),
                    Position.read(body.field("second")));
            case "Acted" -> factory.createActed(
                    Player.read(body.field("player")),
                    body.field("action").asLong(0, 4294967295L),
                    body.maybe("step").orNull(it -> Direction.read(it)));
            case "Moved" -> factory.createMoved(Position.read(body.field("to")));
            case "Spent" -> factory.createSpent(
                    Direction.read(body.field("direction")),
                    body.field("left").asInt(0, 255));
            case "Waited" -> factory.createWaited();
            case "TreasureSeen" -> factory.createTreasureSeen(Position.read(body.field("at")));
            case "TreasureTaken" -> factory.createTreasureTaken(Position.read(body.field("at")));
            case "FortSeen" -> factory.createFortSeen(Position.read(body.field("at")));
            case "Collected" -> factory.createCollected(Player.read(body.field("player")));
            case "Finished" -> factory.createFinished(Outcome.read(body.field("outcome")), text);
            default -> throw event.unknown();
        };
    }
}
