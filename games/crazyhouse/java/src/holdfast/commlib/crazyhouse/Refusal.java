// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.crazyhouse;

import holdfast.commlib.Json;

public sealed interface Refusal {
    static Refusal read(Json json) {
        Json body = json.body();
        return switch (json.kind()) {
            case "NotAMove" -> new NotAMove(body.field("text").asString());
            case "NotYourTurn" -> new NotYourTurn(Side.read(body.field("next")));
            case "NothingThere" -> new NothingThere(body.field("square").asString());
            case "NotYourPiece" -> new NotYourPiece(body.field("square").asString(), body.field("piece").asString());
            case "NotYourPocket" -> new NotYourPocket(body.field("piece").asString());
            case "NotInPocket" -> new NotInPocket(body.field("piece").asString());
            case "Occupied" -> new Occupied(body.field("square").asString());
            case "PawnRank" -> new PawnRank(body.field("square").asString());
            case "OwnPiece" -> new OwnPiece(body.field("square").asString());
            case "KingStands" -> new KingStands(body.field("square").asString());
            case "CannotReach" -> new CannotReach(body.field("piece").asString(), body.field("square").asString());
            case "KingInCheck" -> new KingInCheck();
            case "GameOver" -> new GameOver();
            case "NotBegun" -> new NotBegun();
            case "NotSeated" -> new NotSeated();
            case "AlreadySeated" -> new AlreadySeated(Side.read(body.field("side")));
            case "SideTaken" -> new SideTaken(Side.read(body.field("side")), body.field("by").asString());
            case "Full" -> new Full();
            case "AlreadyOffered" -> new AlreadyOffered();
            case "AnswerOffer" -> new AnswerOffer();
            case "NoOffer" -> new NoOffer();
            case "ReasonTooLong" -> new ReasonTooLong(body.field("most").asInt(0, 65535));
            case "TooLateToAbort" -> new TooLateToAbort();
            case "NothingToTakeBack" -> new NothingToTakeBack();
            case "AlreadyAsked" -> new AlreadyAsked();
            case "AnswerTakeback" -> new AnswerTakeback();
            case "NoTakeback" -> new NoTakeback();
            case "NotInThisVersion" -> new NotInThisVersion(body.field("version").asLong(0, 4294967295L));
            default -> throw json.unknown();
        };
    }

    record NotAMove(String text) implements Refusal {}

    record NotYourTurn(Side next) implements Refusal {}

    record NothingThere(String square) implements Refusal {}

    record NotYourPiece(String square, String piece) implements Refusal {}

    record NotYourPocket(String piece) implements Refusal {}

    record NotInPocket(String piece) implements Refusal {}

    record Occupied(String square) implements Refusal {}

    record PawnRank(String square) implements Refusal {}

    record OwnPiece(String square) implements Refusal {}

    record KingStands(String square) implements Refusal {}

    record CannotReach(String piece, String square) implements Refusal {}

    record KingInCheck() implements Refusal {}

    record GameOver() implements Refusal {}

    record NotBegun() implements Refusal {}

    record NotSeated() implements Refusal {}

    record AlreadySeated(Side side) implements Refusal {}

    record SideTaken(Side side, String by) implements Refusal {}

    record Full() implements Refusal {}

    record AlreadyOffered() implements Refusal {}

    record AnswerOffer() implements Refusal {}

    record NoOffer() implements Refusal {}

    record ReasonTooLong(int most) implements Refusal {}

    record TooLateToAbort() implements Refusal {}

    record NothingToTakeBack() implements Refusal {}

    record AlreadyAsked() implements Refusal {}

    record AnswerTakeback() implements Refusal {}

    record NoTakeback() implements Refusal {}

    record NotInThisVersion(long version) implements Refusal {}
}
