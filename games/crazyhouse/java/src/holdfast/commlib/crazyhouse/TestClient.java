// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.crazyhouse;

import holdfast.commlib.Json;
import holdfast.commlib.testkit.Client;
import holdfast.commlib.testkit.Game;
import java.util.List;

/** A client of a game of crazyhouse in a test. */
public final class TestClient extends Client {
    TestClient(Game<?> game, String name) {
        super(game, name);
    }

    public void sendJoin(String name) {
        send("Join", Json.of(name));
    }

    public void sendJoin(String name, Side side) {
        send("Join", Json.of(name), side == null ? null : side.toJson());
    }

    public void sendMove(String text) {
        send("Move", Json.of(text));
    }

    public void sendOfferDraw() {
        send("OfferDraw");
    }

    public void sendAcceptDraw() {
        send("AcceptDraw");
    }

    public void sendDeclineDraw() {
        send("DeclineDraw");
    }

    public void sendResign() {
        send("Resign");
    }

    public void sendResign(String because) {
        send("Resign", because == null ? null : Json.of(because));
    }

    public void sendAbort() {
        send("Abort");
    }

    public void sendAskTakeback() {
        send("AskTakeback");
    }

    public void sendAllowTakeback() {
        send("AllowTakeback");
    }

    public void sendRefuseTakeback() {
        send("RefuseTakeback");
    }

    public void sendClaim() {
        send("Claim");
    }

    public List<Json> assertSeated() {
        return assertEvent("Seated");
    }

    public List<Json> assertSeated(Side side) {
        return assertEvent("Seated", side == null ? null : side.toJson());
    }

    public List<Json> untilSeated() {
        return untilEvent("Seated");
    }

    public List<Json> untilSeated(Side side) {
        return untilEvent("Seated", side == null ? null : side.toJson());
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

    public List<Json> assertJoined() {
        return assertEvent("Joined");
    }

    public List<Json> assertJoined(Side side, String name) {
        return assertEvent("Joined", side == null ? null : side.toJson(), name == null ? null : Json.of(name));
    }

    public List<Json> untilJoined() {
        return untilEvent("Joined");
    }

    public List<Json> untilJoined(Side side, String name) {
        return untilEvent("Joined", side == null ? null : side.toJson(), name == null ? null : Json.of(name));
    }

    public List<Json> assertBegan() {
        return assertEvent("Began");
    }

    public List<Json> assertBegan(String white, String black, String position, Pace clock) {
        return assertEvent(
                "Began",
                white == null ? null : Json.of(white),
                black == null ? null : Json.of(black),
                position == null ? null : Json.of(position),
                clock == null ? null : clock.toJson());
    }

    public List<Json> untilBegan() {
        return untilEvent("Began");
    }

    public List<Json> untilBegan(String white, String black, String position, Pace clock) {
        return untilEvent(
                "Began",
                white == null ? null : Json.of(white),
                black == null ? null : Json.of(black),
                position == null ? null : Json.of(position),
                clock == null ? null : clock.toJson());
    }

    public List<Json> assertMoved() {
        return assertEvent("Moved");
    }

    public List<Json> assertMoved(Side side, String text, String position, Boolean check, Long left) {
        return assertEvent(
                "Moved",
                side == null ? null : side.toJson(),
                text == null ? null : Json.of(text),
                position == null ? null : Json.of(position),
                check == null ? null : Json.of(check),
                left == null ? null : Json.ofUnsigned(left));
    }

    public List<Json> untilMoved() {
        return untilEvent("Moved");
    }

    public List<Json> untilMoved(Side side, String text, String position, Boolean check, Long left) {
        return untilEvent(
                "Moved",
                side == null ? null : side.toJson(),
                text == null ? null : Json.of(text),
                position == null ? null : Json.of(position),
                check == null ? null : Json.of(check),
                left == null ? null : Json.ofUnsigned(left));
    }

    public List<Json> assertDrawOffered() {
        return assertEvent("DrawOffered");
    }

    public List<Json> assertDrawOffered(Side side) {
        return assertEvent("DrawOffered", side == null ? null : side.toJson());
    }

    public List<Json> untilDrawOffered() {
        return untilEvent("DrawOffered");
    }

    public List<Json> untilDrawOffered(Side side) {
        return untilEvent("DrawOffered", side == null ? null : side.toJson());
    }

    public List<Json> assertDrawDeclined() {
        return assertEvent("DrawDeclined");
    }

    public List<Json> assertDrawDeclined(Side side) {
        return assertEvent("DrawDeclined", side == null ? null : side.toJson());
    }

    public List<Json> untilDrawDeclined() {
        return untilEvent("DrawDeclined");
    }

    public List<Json> untilDrawDeclined(Side side) {
        return untilEvent("DrawDeclined", side == null ? null : side.toJson());
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

    public List<Json> assertTakebackAsked() {
        return assertEvent("TakebackAsked");
    }

    public List<Json> assertTakebackAsked(Side side) {
        return assertEvent("TakebackAsked", side == null ? null : side.toJson());
    }

    public List<Json> untilTakebackAsked() {
        return untilEvent("TakebackAsked");
    }

    public List<Json> untilTakebackAsked(Side side) {
        return untilEvent("TakebackAsked", side == null ? null : side.toJson());
    }

    public List<Json> assertTakebackRefused() {
        return assertEvent("TakebackRefused");
    }

    public List<Json> assertTakebackRefused(Side side) {
        return assertEvent("TakebackRefused", side == null ? null : side.toJson());
    }

    public List<Json> untilTakebackRefused() {
        return untilEvent("TakebackRefused");
    }

    public List<Json> untilTakebackRefused(Side side) {
        return untilEvent("TakebackRefused", side == null ? null : side.toJson());
    }

    public List<Json> assertTakenBack() {
        return assertEvent("TakenBack");
    }

    public List<Json> assertTakenBack(Side side, Integer moves, String position, Long white_left, Long black_left) {
        return assertEvent(
                "TakenBack",
                side == null ? null : side.toJson(),
                moves == null ? null : Json.of(moves),
                position == null ? null : Json.of(position),
                white_left == null ? null : Json.ofUnsigned(white_left),
                black_left == null ? null : Json.ofUnsigned(black_left));
    }

    public List<Json> untilTakenBack() {
        return untilEvent("TakenBack");
    }

    public List<Json> untilTakenBack(Side side, Integer moves, String position, Long white_left, Long black_left) {
        return untilEvent(
                "TakenBack",
                side == null ? null : side.toJson(),
                moves == null ? null : Json.of(moves),
                position == null ? null : Json.of(position),
                white_left == null ? null : Json.ofUnsigned(white_left),
                black_left == null ? null : Json.ofUnsigned(black_left));
    }
}
