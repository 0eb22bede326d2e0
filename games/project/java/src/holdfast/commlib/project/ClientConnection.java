// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Connection;
import holdfast.commlib.Json;
import java.util.List;

/** A client of a game of project. */
public final class ClientConnection<E> extends Connection<E> {
    private final EventFactory<E> factory;

    public ClientConnection(String host, int port, EventFactory<E> factory) {
        super(host, port);
        this.factory = factory;
    }

    public void sendJoin(String hash) {
        send("Join", Json.object().with("hash", Json.of(hash)));
    }

    public void sendChooseTeam(String id, Team team) {
        send("ChooseTeam", Json.object().with("id", Json.of(id)).with("team", team.toJson()));
    }

    public void sendMove(String id, Direction direction) {
        send("Move", Json.object().with("id", Json.of(id)).with("direction", direction.toJson()));
    }

    public void sendDiscover(String id) {
        send("Discover", Json.object().with("id", Json.of(id)));
    }

    public void sendPickUp(String id) {
        send("PickUp", Json.object().with("id", Json.of(id)));
    }

    public void sendTest(String id) {
        send("Test", Json.object().with("id", Json.of(id)));
    }

    public void sendPlace(String id) {
        send("Place", Json.object().with("id", Json.of(id)));
    }

    public void sendLost() {
        send("Lost", Json.object());
    }

    public void sendFail(String because) {
        send("Fail", Json.object().with("because", Json.of(because)));
    }

    public void sendExchanged(long from, long to, List<Hearsay> tiles) {
        send("Exchanged", Json.object()
                .with("from", Json.of(from))
                .with("to", Json.of(to))
                .with("tiles", Json.list(tiles, it -> it.toJson())));
    }

    @Override
    protected E event(Json event, String text) {
        Json body = event.body();
        return switch (event.kind()) {
            case "Confirmed" -> factory.createConfirmed(body.field("player").asLong(0, 4294967295L));
            case "Refused" -> factory.createRefused(Refusal.read(body.field("refusal")), text);
            case "TeamGiven" -> factory.createTeamGiven(
                    body.maybe("context").orNull(it -> it.asString()),
                    Team.read(body.field("team")),
                    body.field("leader").asBoolean());
            case "Started" -> factory.createStarted(
                    body.field("players").list(it -> Member.read(it)),
                    body.field("width").asInt(),
                    body.field("height").asInt(),
                    Position.read(body.field("position")));
            case "Answered" -> factory.createAnswered(
                    body.field("context").asString(),
                    Answer.read(body.field("answer")));
            case "Repeated" -> factory.createRepeated(
                    body.field("context").asString(),
                    Answer.read(body.field("answer")));
            case "Noted" -> factory.createNoted(Note.read(body.field("note")), text);
            case "Joined" -> factory.createJoined(body.field("player").asLong(0, 4294967295L));
            case "TeamJoined" -> factory.createTeamJoined(
                    body.field("player").asLong(0, 4294967295L),
                    Team.read(body.field("team")));
            case "Began" -> factory.createBegan();
            case "Acted" -> factory.createActed(body.field("player").asLong(0, 4294967295L));
            case "Scored" -> factory.createScored(Team.read(body.field("team")));
            case "Lost" -> factory.createLost(body.field("player").asLong(0, 4294967295L));
            case "Returned" -> factory.createReturned(body.field("player").asLong(0, 4294967295L));
            case "Left" -> factory.createLeft(body.field("player").asLong(0, 4294967295L));
            case "Ended" -> factory.createEnded(Outcome.read(body.field("outcome")), text);
            case "Learnt" -> factory.createLearnt(
                    body.field("from").asLong(0, 4294967295L),
                    body.field("tiles").list(it -> Hearsay.read(it)));
            case "Told" -> factory.createTold(
                    body.field("from").asLong(0, 4294967295L),
                    body.field("to").asLong(0, 4294967295L));
            default -> throw event.unknown();
        };
    }
}
