// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.project;

import holdfast.commlib.Json;
import holdfast.commlib.testkit.Client;
import holdfast.commlib.testkit.Game;
import java.util.List;

/** A client of a game of project in a test. */
public final class TestClient extends Client {
    TestClient(Game<?> game, String name) {
        super(game, name);
    }

    public void sendJoin(String hash) {
        send("Join", Json.of(hash));
    }

    public void sendChooseTeam(String id, Team team) {
        send("ChooseTeam", Json.of(id), team.toJson());
    }

    public void sendMove(String id, Direction direction) {
        send("Move", Json.of(id), direction.toJson());
    }

    public void sendDiscover(String id) {
        send("Discover", Json.of(id));
    }

    public void sendPickUp(String id) {
        send("PickUp", Json.of(id));
    }

    public void sendTest(String id) {
        send("Test", Json.of(id));
    }

    public void sendPlace(String id) {
        send("Place", Json.of(id));
    }

    public void sendLost() {
        send("Lost");
    }

    public void sendFail(String because) {
        send("Fail", Json.of(because));
    }

    public void sendExchanged(long from, long to, List<Hearsay> tiles) {
        send("Exchanged", Json.of(from), Json.of(to), Json.list(tiles, it -> it.toJson()));
    }

    public List<Json> assertConfirmed() {
        return assertEvent("Confirmed");
    }

    public List<Json> assertConfirmed(Long player) {
        return assertEvent("Confirmed", player == null ? null : Json.of(player));
    }

    public List<Json> untilConfirmed() {
        return untilEvent("Confirmed");
    }

    public List<Json> untilConfirmed(Long player) {
        return untilEvent("Confirmed", player == null ? null : Json.of(player));
    }

    public List<Json> assertRefused() {
        return assertEvent("Refused");
    }

    public List<Json> assertRefused(String text) {
        return assertEvent("Refused", Json.of(text));
    }

    public List<Json> untilRefused() {
        return untilEvent("Refused");
    }

    public List<Json> untilRefused(String text) {
        return untilEvent("Refused", Json.of(text));
    }

    public List<Json> assertTeamGiven() {
        return assertEvent("TeamGiven");
    }

    public List<Json> assertTeamGiven(String context, Team team, Boolean leader) {
        return assertEvent(
                "TeamGiven",
                context == null ? null : Json.of(context),
                team == null ? null : team.toJson(),
                leader == null ? null : Json.of(leader));
    }

    public List<Json> untilTeamGiven() {
        return untilEvent("TeamGiven");
    }

    public List<Json> untilTeamGiven(String context, Team team, Boolean leader) {
        return untilEvent(
                "TeamGiven",
                context == null ? null : Json.of(context),
                team == null ? null : team.toJson(),
                leader == null ? null : Json.of(leader));
    }

    public List<Json> assertStarted() {
        return assertEvent("Started");
    }

    public List<Json> assertStarted(List<Member> players, Integer width, Integer height, Position position) {
        return assertEvent(
                "Started",
                players == null ? null : Json.list(players, it -> it.toJson()),
                width == null ? null : Json.of(width),
                height == null ? null : Json.of(height),
                position == null ? null : position.toJson());
    }

    public List<Json> untilStarted() {
        return untilEvent("Started");
    }

    public List<Json> untilStarted(List<Member> players, Integer width, Integer height, Position position) {
        return untilEvent(
                "Started",
                players == null ? null : Json.list(players, it -> it.toJson()),
                width == null ? null : Json.of(width),
                height == null ? null : Json.of(height),
                position == null ? null : position.toJson());
    }

    public List<Json> assertAnswered() {
        return assertEvent("Answered");
    }

    public List<Json> assertAnswered(String context, Answer answer) {
        return assertEvent(
                "Answered",
                context == null ? null : Json.of(context),
                answer == null ? null : answer.toJson());
    }

    public List<Json> untilAnswered() {
        return untilEvent("Answered");
    }

    public List<Json> untilAnswered(String context, Answer answer) {
        return untilEvent(
                "Answered",
                context == null ? null : Json.of(context),
                answer == null ? null : answer.toJson());
    }

    public List<Json> assertRepeated() {
        return assertEvent("Repeated");
    }

    public List<Json> assertRepeated(String context, Answer answer) {
        return assertEvent(
                "Repeated",
                context == null ? null : Json.of(context),
                answer == null ? null : answer.toJson());
    }

    public List<Json> untilRepeated() {
        return untilEvent("Repeated");
    }

    public List<Json> untilRepeated(String context, Answer answer) {
        return untilEvent(
                "Repeated",
                context == null ? null : Json.of(context),
                answer == null ? null : answer.toJson());
    }

    public List<Json> assertNoted() {
        return assertEvent("Noted");
    }

    public List<Json> assertNoted(String text) {
        return assertEvent("Noted", Json.of(text));
    }

    public List<Json> untilNoted() {
        return untilEvent("Noted");
    }

    public List<Json> untilNoted(String text) {
        return untilEvent("Noted", Json.of(text));
    }

    public List<Json> assertJoined() {
        return assertEvent("Joined");
    }

    public List<Json> assertJoined(Long player) {
        return assertEvent("Joined", player == null ? null : Json.of(player));
    }

    public List<Json> untilJoined() {
        return untilEvent("Joined");
    }

    public List<Json> untilJoined(Long player) {
        return untilEvent("Joined", player == null ? null : Json.of(player));
    }

    public List<Json> assertTeamJoined() {
        return assertEvent("TeamJoined");
    }

    public List<Json> assertTeamJoined(Long player, Team team) {
        return assertEvent("TeamJoined", player == null ? null : Json.of(player), team == null ? null : team.toJson());
    }

    public List<Json> untilTeamJoined() {
        return untilEvent("TeamJoined");
    }

    public List<Json> untilTeamJoined(Long player, Team team) {
        return untilEvent("TeamJoined", player == null ? null : Json.of(player), team == null ? null : team.toJson());
    }

    public List<Json> assertBegan() {
        return assertEvent("Began");
    }

    public List<Json> untilBegan() {
        return untilEvent("Began");
    }

    public List<Json> assertActed() {
        return assertEvent("Acted");
    }

    public List<Json> assertActed(Long player) {
        return assertEvent("Acted", player == null ? null : Json.of(player));
    }

    public List<Json> untilActed() {
        return untilEvent("Acted");
    }

    public List<Json> untilActed(Long player) {
        return untilEvent("Acted", player == null ? null : Json.of(player));
    }

    public List<Json> assertScored() {
        return assertEvent("Scored");
    }

    public List<Json> assertScored(Team team) {
        return assertEvent("Scored", team == null ? null : team.toJson());
    }

    public List<Json> untilScored() {
        return untilEvent("Scored");
    }

    public List<Json> untilScored(Team team) {
        return untilEvent("Scored", team == null ? null : team.toJson());
    }

    public List<Json> assertLost() {
        return assertEvent("Lost");
    }

    public List<Json> assertLost(Long player) {
        return assertEvent("Lost", player == null ? null : Json.of(player));
    }

    public List<Json> untilLost() {
        return untilEvent("Lost");
    }

    public List<Json> untilLost(Long player) {
        return untilEvent("Lost", player == null ? null : Json.of(player));
    }

    public List<Json> assertReturned() {
        return assertEvent("Returned");
    }

    public List<Json> assertReturned(Long player) {
        return assertEvent("Returned", player == null ? null : Json.of(player));
    }

    public List<Json> untilReturned() {
        return untilEvent("Returned");
    }

    public List<Json> untilReturned(Long player) {
        return untilEvent("Returned", player == null ? null : Json.of(player));
    }

    public List<Json> assertLeft() {
        return assertEvent("Left");
    }

    public List<Json> assertLeft(Long player) {
        return assertEvent("Left", player == null ? null : Json.of(player));
    }

    public List<Json> untilLeft() {
        return untilEvent("Left");
    }

    public List<Json> untilLeft(Long player) {
        return untilEvent("Left", player == null ? null : Json.of(player));
    }

    public List<Json> assertEnded() {
        return assertEvent("Ended");
    }

    public List<Json> assertEnded(String text) {
        return assertEvent("Ended", Json.of(text));
    }

    public List<Json> untilEnded() {
        return untilEvent("Ended");
    }

    public List<Json> untilEnded(String text) {
        return untilEvent("Ended", Json.of(text));
    }

    public List<Json> assertLearnt() {
        return assertEvent("Learnt");
    }

    public List<Json> assertLearnt(Long from, List<Hearsay> tiles) {
        return assertEvent(
                "Learnt",
                from == null ? null : Json.of(from),
                tiles == null ? null : Json.list(tiles, it -> it.toJson()));
    }

    public List<Json> untilLearnt() {
        return untilEvent("Learnt");
    }

    public List<Json> untilLearnt(Long from, List<Hearsay> tiles) {
        return untilEvent(
                "Learnt",
                from == null ? null : Json.of(from),
                tiles == null ? null : Json.list(tiles, it -> it.toJson()));
    }

    public List<Json> assertTold() {
        return assertEvent("Told");
    }

    public List<Json> assertTold(Long from, Long to) {
        return assertEvent("Told", from == null ? null : Json.of(from), to == null ? null : Json.of(to));
    }

    public List<Json> untilTold() {
        return untilEvent("Told");
    }

    public List<Json> untilTold(Long from, Long to) {
        return untilEvent("Told", from == null ? null : Json.of(from), to == null ? null : Json.of(to));
    }
}
