// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.treasure;

import holdfast.commlib.Json;
import holdfast.commlib.testkit.Client;
import holdfast.commlib.testkit.Game;
import java.util.List;

/** A client of a game of treasure in a test. */
public final class TestClient extends Client {
    TestClient(Game<?> game, String name) {
        super(game, name);
    }

    public void sendRegister(String id, String first_name, String last_name, String account) {
        send("Register", Json.of(id), Json.of(first_name), Json.of(last_name), Json.of(account));
    }

    public void sendSendHalf(List<Field> fields) {
        send("SendHalf", Json.list(fields, it -> it.toJson()));
    }

    public void sendSendHalf(List<Field> fields, Coding coding) {
        send("SendHalf", Json.list(fields, it -> it.toJson()), coding == null ? null : coding.toJson());
    }

    public void sendMove(Direction direction) {
        send("Move", direction.toJson());
    }

    public void sendUpdate(int x, int y, int wanted_x, int wanted_y, int turns) {
        send("Update", Json.of(x), Json.of(y), Json.of(wanted_x), Json.of(wanted_y), Json.of(turns));
    }

    public void sendGarbled(String problem) {
        send("Garbled", Json.of(problem));
    }

    public void sendRemove() {
        send("Remove");
    }

    public List<Json> assertSeated() {
        return assertEvent("Seated");
    }

    public List<Json> assertSeated(Player player, String id, String account, List<Integer> key) {
        return assertEvent(
                "Seated",
                player == null ? null : player.toJson(),
                id == null ? null : Json.of(id),
                account == null ? null : Json.of(account),
                key == null ? null : Json.list(key, it -> Json.of(it)));
    }

    public List<Json> untilSeated() {
        return untilEvent("Seated");
    }

    public List<Json> untilSeated(Player player, String id, String account, List<Integer> key) {
        return untilEvent(
                "Seated",
                player == null ? null : player.toJson(),
                id == null ? null : Json.of(id),
                account == null ? null : Json.of(account),
                key == null ? null : Json.list(key, it -> Json.of(it)));
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

    public List<Json> assertFailed() {
        return assertEvent("Failed");
    }

    public List<Json> assertFailed(String text) {
        return assertEvent("Failed", Json.of(text));
    }

    public List<Json> untilFailed() {
        return untilEvent("Failed");
    }

    public List<Json> untilFailed(String text) {
        return untilEvent("Failed", Json.of(text));
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

    public List<Json> assertRegistered() {
        return assertEvent("Registered");
    }

    public List<Json> assertRegistered(Player player, String first_name, String last_name, String account) {
        return assertEvent(
                "Registered",
                player == null ? null : player.toJson(),
                first_name == null ? null : Json.of(first_name),
                last_name == null ? null : Json.of(last_name),
                account == null ? null : Json.of(account));
    }

    public List<Json> untilRegistered() {
        return untilEvent("Registered");
    }

    public List<Json> untilRegistered(Player player, String first_name, String last_name, String account) {
        return untilEvent(
                "Registered",
                player == null ? null : player.toJson(),
                first_name == null ? null : Json.of(first_name),
                last_name == null ? null : Json.of(last_name),
                account == null ? null : Json.of(account));
    }

    public List<Json> assertBegan() {
        return assertEvent("Began");
    }

    public List<Json> assertBegan(Player starter) {
        return assertEvent("Began", starter == null ? null : starter.toJson());
    }

    public List<Json> untilBegan() {
        return untilEvent("Began");
    }

    public List<Json> untilBegan(Player starter) {
        return untilEvent("Began", starter == null ? null : starter.toJson());
    }

    public List<Json> assertHalfTaken() {
        return assertEvent("HalfTaken");
    }

    public List<Json> assertHalfTaken(Player player, Long action) {
        return assertEvent(
                "HalfTaken",
                player == null ? null : player.toJson(),
                action == null ? null : Json.of(action));
    }

    public List<Json> untilHalfTaken() {
        return untilEvent("HalfTaken");
    }

    public List<Json> untilHalfTaken(Player player, Long action) {
        return untilEvent(
                "HalfTaken",
                player == null ? null : player.toJson(),
                action == null ? null : Json.of(action));
    }

    public List<Json> assertHalfRejected() {
        return assertEvent("HalfRejected");
    }

    public List<Json> assertHalfRejected(Player player, Long action, Report report, List<Violation> violations) {
        return assertEvent(
                "HalfRejected",
                player == null ? null : player.toJson(),
                action == null ? null : Json.of(action),
                report == null ? null : report.toJson(),
                violations == null ? null : Json.list(violations, it -> it.toJson()));
    }

    public List<Json> untilHalfRejected() {
        return untilEvent("HalfRejected");
    }

    public List<Json> untilHalfRejected(Player player, Long action, Report report, List<Violation> violations) {
        return untilEvent(
                "HalfRejected",
                player == null ? null : player.toJson(),
                action == null ? null : Json.of(action),
                report == null ? null : report.toJson(),
                violations == null ? null : Json.list(violations, it -> it.toJson()));
    }

    public List<Json> assertHalfKept() {
        return assertEvent("HalfKept");
    }

    public List<Json> assertHalfKept(Report report, Position fort, Coding coding) {
        return assertEvent(
                "HalfKept",
                report == null ? null : report.toJson(),
                fort == null ? null : fort.toJson(),
                coding == null ? null : coding.toJson());
    }

    public List<Json> untilHalfKept() {
        return untilEvent("HalfKept");
    }

    public List<Json> untilHalfKept(Report report, Position fort, Coding coding) {
        return untilEvent(
                "HalfKept",
                report == null ? null : report.toJson(),
                fort == null ? null : fort.toJson(),
                coding == null ? null : coding.toJson());
    }

    public List<Json> assertCharted() {
        return assertEvent("Charted");
    }

    public List<Json> assertCharted(Player player, Placement placement, Report report, List<Terrain> terrain) {
        return assertEvent(
                "Charted",
                player == null ? null : player.toJson(),
                placement == null ? null : placement.toJson(),
                report == null ? null : report.toJson(),
                terrain == null ? null : Json.list(terrain, it -> it.toJson()));
    }

    public List<Json> untilCharted() {
        return untilEvent("Charted");
    }

    public List<Json> untilCharted(Player player, Placement placement, Report report, List<Terrain> terrain) {
        return untilEvent(
                "Charted",
                player == null ? null : player.toJson(),
                placement == null ? null : placement.toJson(),
                report == null ? null : report.toJson(),
                terrain == null ? null : Json.list(terrain, it -> it.toJson()));
    }

    public List<Json> assertAppeared() {
        return assertEvent("Appeared");
    }

    public List<Json> assertAppeared(Position first, Position second) {
        return assertEvent("Appeared", first == null ? null : first.toJson(), second == null ? null : second.toJson());
    }

    public List<Json> untilAppeared() {
        return untilEvent("Appeared");
    }

    public List<Json> untilAppeared(Position first, Position second) {
        return untilEvent("Appeared", first == null ? null : first.toJson(), second == null ? null : second.toJson());
    }

    public List<Json> assertActed() {
        return assertEvent("Acted");
    }

    public List<Json> assertActed(Player player, Long action, Direction step) {
        return assertEvent(
                "Acted",
                player == null ? null : player.toJson(),
                action == null ? null : Json.of(action),
                step == null ? null : step.toJson());
    }

    public List<Json> untilActed() {
        return untilEvent("Acted");
    }

    public List<Json> untilActed(Player player, Long action, Direction step) {
        return untilEvent(
                "Acted",
                player == null ? null : player.toJson(),
                action == null ? null : Json.of(action),
                step == null ? null : step.toJson());
    }

    public List<Json> assertMoved() {
        return assertEvent("Moved");
    }

    public List<Json> assertMoved(Position to) {
        return assertEvent("Moved", to == null ? null : to.toJson());
    }

    public List<Json> untilMoved() {
        return untilEvent("Moved");
    }

    public List<Json> untilMoved(Position to) {
        return untilEvent("Moved", to == null ? null : to.toJson());
    }

    public List<Json> assertSpent() {
        return assertEvent("Spent");
    }

    public List<Json> assertSpent(Direction direction, Integer left) {
        return assertEvent("Spent", direction == null ? null : direction.toJson(), left == null ? null : Json.of(left));
    }

    public List<Json> untilSpent() {
        return untilEvent("Spent");
    }

    public List<Json> untilSpent(Direction direction, Integer left) {
        return untilEvent("Spent", direction == null ? null : direction.toJson(), left == null ? null : Json.of(left));
    }

    public List<Json> assertWaited() {
        return assertEvent("Waited");
    }

    public List<Json> untilWaited() {
        return untilEvent("Waited");
    }

    public List<Json> assertTreasureSeen() {
        return assertEvent("TreasureSeen");
    }

    public List<Json> assertTreasureSeen(Position at) {
        return assertEvent("TreasureSeen", at == null ? null : at.toJson());
    }

    public List<Json> untilTreasureSeen() {
        return untilEvent("TreasureSeen");
    }

    public List<Json> untilTreasureSeen(Position at) {
        return untilEvent("TreasureSeen", at == null ? null : at.toJson());
    }

    public List<Json> assertTreasureTaken() {
        return assertEvent("TreasureTaken");
    }

    public List<Json> assertTreasureTaken(Position at) {
        return assertEvent("TreasureTaken", at == null ? null : at.toJson());
    }

    public List<Json> untilTreasureTaken() {
        return untilEvent("TreasureTaken");
    }

    public List<Json> untilTreasureTaken(Position at) {
        return untilEvent("TreasureTaken", at == null ? null : at.toJson());
    }

    public List<Json> assertFortSeen() {
        return assertEvent("FortSeen");
    }

    public List<Json> assertFortSeen(Position at) {
        return assertEvent("FortSeen", at == null ? null : at.toJson());
    }

    public List<Json> untilFortSeen() {
        return untilEvent("FortSeen");
    }

    public List<Json> untilFortSeen(Position at) {
        return untilEvent("FortSeen", at == null ? null : at.toJson());
    }

    public List<Json> assertCollected() {
        return assertEvent("Collected");
    }

    public List<Json> assertCollected(Player player) {
        return assertEvent("Collected", player == null ? null : player.toJson());
    }

    public List<Json> untilCollected() {
        return untilEvent("Collected");
    }

    public List<Json> untilCollected(Player player) {
        return untilEvent("Collected", player == null ? null : player.toJson());
    }

    public List<Json> assertFinished() {
        return assertEvent("Finished");
    }

    public List<Json> assertFinished(String text) {
        return assertEvent("Finished", Json.of(text));
    }

    public List<Json> untilFinished() {
        return untilEvent("Finished");
    }

    public List<Json> untilFinished(String text) {
        return untilEvent("Finished", Json.of(text));
    }
}
