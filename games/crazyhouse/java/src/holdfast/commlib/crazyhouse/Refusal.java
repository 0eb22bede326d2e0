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

    Json toJson();

    record NotAMove(String text) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotAMove", Json.object().with("text", Json.of(text)));
        }
    }

    record NotYourTurn(Side next) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotYourTurn", Json.object().with("next", next.toJson()));
        }
    }

    record NothingThere(String square) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NothingThere", Json.object().with("square", Json.of(square)));
        }
    }

    record NotYourPiece(String square, String piece) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotYourPiece", Json.object()
                    .with("square", Json.of(square))
                    .with("piece", Json.of(piece)));
        }
    }

    record NotYourPocket(String piece) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotYourPocket", Json.object().with("piece", Json.of(piece)));
        }
    }

    record NotInPocket(String piece) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotInPocket", Json.object().with("piece", Json.of(piece)));
        }
    }

    record Occupied(String square) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("Occupied", Json.object().with("square", Json.of(square)));
        }
    }

    record PawnRank(String square) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("PawnRank", Json.object().with("square", Json.of(square)));
        }
    }

    record OwnPiece(String square) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("OwnPiece", Json.object().with("square", Json.of(square)));
        }
    }

    record KingStands(String square) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("KingStands", Json.object().with("square", Json.of(square)));
        }
    }

    record CannotReach(String piece, String square) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("CannotReach", Json.object()
                    .with("piece", Json.of(piece))
                    .with("square", Json.of(square)));
        }
    }

    record KingInCheck() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("KingInCheck", Json.object());
        }
    }

    record GameOver() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("GameOver", Json.object());
        }
    }

    record NotBegun() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotBegun", Json.object());
        }
    }

    record NotSeated() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotSeated", Json.object());
        }
    }

    record AlreadySeated(Side side) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AlreadySeated", Json.object().with("side", side.toJson()));
        }
    }

    record SideTaken(Side side, String by) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("SideTaken", Json.object().with("side", side.toJson()).with("by", Json.of(by)));
        }
    }

    record Full() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("Full", Json.object());
        }
    }

    record AlreadyOffered() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AlreadyOffered", Json.object());
        }
    }

    record AnswerOffer() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AnswerOffer", Json.object());
        }
    }

    record NoOffer() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NoOffer", Json.object());
        }
    }

    record ReasonTooLong(int most) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("ReasonTooLong", Json.object().with("most", Json.of(most)));
        }
    }

    record TooLateToAbort() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("TooLateToAbort", Json.object());
        }
    }

    record NothingToTakeBack() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NothingToTakeBack", Json.object());
        }
    }

    record AlreadyAsked() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AlreadyAsked", Json.object());
        }
    }

    record AnswerTakeback() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AnswerTakeback", Json.object());
        }
    }

    record NoTakeback() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NoTakeback", Json.object());
        }
    }

    record NotInThisVersion(long version) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotInThisVersion", Json.object().with("version", Json.of(version)));
        }
    }
}
