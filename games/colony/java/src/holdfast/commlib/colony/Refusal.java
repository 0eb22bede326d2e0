// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

import holdfast.commlib.Json;
import java.util.List;

public sealed interface Refusal {
    static Refusal read(Json json) {
        Json body = json.body();
        return switch (json.kind()) {
            case "AlreadyRegistered" -> new AlreadyRegistered(body.field("player").asInt(0, 65535));
            case "NotRegistered" -> new NotRegistered();
            case "AlreadyStarted" -> new AlreadyStarted();
            case "HasLeft" -> new HasLeft(body.field("player").asInt(0, 65535));
            case "StillChoosing" -> new StillChoosing(body.field("player").asInt(0, 65535));
            case "NothingToChoose" -> new NothingToChoose();
            case "SameCharacterTwice" -> new SameCharacterTwice(body.field("character").asInt());
            case "NotOffered" -> new NotOffered(body.field("character").asInt(), Few.read(body.field("offered")));
            case "NotYourTurn" -> new NotYourTurn(body.field("turn").asInt(0, 65535));
            case "VoteFirst" -> new VoteFirst();
            case "VotingNow" -> new VotingNow(body.field("asked").asInt(0, 65535));
            case "NoVoteNow" -> new NoVoteNow();
            case "NotInEdition" -> new NotInEdition(Edition.read(body.field("edition")));
            case "WrongArguments" -> new WrongArguments(
                    body.field("command").asInt(0, 255),
                    body.field("given").asInt(0, 255));
            case "NotYourCharacter" -> new NotYourCharacter(
                    body.field("character").asInt(),
                    Few.read(body.field("yours")));
            case "NoSuchLocation" -> new NoSuchLocation(body.field("location").asInt(), Few.read(body.field("known")));
            case "AlreadyThere" -> new AlreadyThere(body.field("location").asInt());
            case "LocationFull" -> new LocationFull(
                    body.field("location").asInt(),
                    body.field("places").asLong(0, 4294967295L));
            case "AlreadyMoved" -> new AlreadyMoved(body.field("character").asInt());
            case "NoFuel" -> new NoFuel();
            case "NoSuchEntrance" -> new NoSuchEntrance(
                    body.field("entrance").asInt(),
                    body.field("entrances").asInt(0, 65535));
            case "NoZombieThere" -> new NoZombieThere(body.field("entrance").asInt());
            case "NoFreePlace" -> new NoFreePlace(body.field("entrance").asInt());
            case "NoDieFor" -> new NoDieFor(
                    body.field("needed").asInt(0, 255),
                    body.field("left").list(6, it -> it.asInt(0, 65535)));
            case "NoDieLeft" -> new NoDieLeft();
            case "NothingToSearch" -> new NothingToSearch();
            case "StackEmpty" -> new StackEmpty(body.field("location").asInt());
            case "NotInColony" -> new NotInColony(body.field("character").asInt());
            case "NoWaste" -> new NoWaste();
            case "DisposedAlready" -> new DisposedAlready(body.field("character").asInt());
            case "NotInHand" -> new NotInHand(body.field("card").asInt(), Few.read(body.field("hand")));
            case "NotWanted" -> new NotWanted(body.field("card").asInt(), CrisisKind.read(body.field("wanted")));
            case "CardNeedsTarget" -> new CardNeedsTarget(body.field("card").asInt());
            case "CardTakesNoTarget" -> new CardTakesNoTarget(body.field("card").asInt());
            case "TargetNotHere" -> new TargetNotHere(body.field("target").asInt(), Few.read(body.field("here")));
            case "NotInjured" -> new NotInjured(body.field("target").asInt());
            case "AbilityIsPassive" -> new AbilityIsPassive(body.field("character").asInt());
            case "AbilityNeedsTarget" -> new AbilityNeedsTarget(body.field("character").asInt());
            case "AbilityTakesNoTarget" -> new AbilityTakesNoTarget(body.field("character").asInt());
            case "AbilityUsedUp" -> new AbilityUsedUp(
                    body.field("character").asInt(),
                    body.field("times").asLong(0, 4294967295L));
            case "AbilityElsewhere" -> new AbilityElsewhere(
                    body.field("character").asInt(),
                    body.field("location").asInt());
            case "NoChildren" -> new NoChildren(body.field("character").asInt());
            default -> throw json.unknown();
        };
    }

    Json toJson();

    record AlreadyRegistered(int player) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AlreadyRegistered", Json.object().with("player", Json.of(player)));
        }
    }

    record NotRegistered() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotRegistered", Json.object());
        }
    }

    record AlreadyStarted() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AlreadyStarted", Json.object());
        }
    }

    record HasLeft(int player) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("HasLeft", Json.object().with("player", Json.of(player)));
        }
    }

    record StillChoosing(int player) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("StillChoosing", Json.object().with("player", Json.of(player)));
        }
    }

    record NothingToChoose() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NothingToChoose", Json.object());
        }
    }

    record SameCharacterTwice(int character) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("SameCharacterTwice", Json.object().with("character", Json.of(character)));
        }
    }

    record NotOffered(int character, Few offered) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotOffered", Json.object()
                    .with("character", Json.of(character))
                    .with("offered", offered.toJson()));
        }
    }

    record NotYourTurn(int turn) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotYourTurn", Json.object().with("turn", Json.of(turn)));
        }
    }

    record VoteFirst() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("VoteFirst", Json.object());
        }
    }

    record VotingNow(int asked) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("VotingNow", Json.object().with("asked", Json.of(asked)));
        }
    }

    record NoVoteNow() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NoVoteNow", Json.object());
        }
    }

    record NotInEdition(Edition edition) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotInEdition", Json.object().with("edition", edition.toJson()));
        }
    }

    record WrongArguments(int command, int given) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("WrongArguments", Json.object()
                    .with("command", Json.of(command))
                    .with("given", Json.of(given)));
        }
    }

    record NotYourCharacter(int character, Few yours) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotYourCharacter", Json.object()
                    .with("character", Json.of(character))
                    .with("yours", yours.toJson()));
        }
    }

    record NoSuchLocation(int location, Few known) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NoSuchLocation", Json.object()
                    .with("location", Json.of(location))
                    .with("known", known.toJson()));
        }
    }

    record AlreadyThere(int location) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AlreadyThere", Json.object().with("location", Json.of(location)));
        }
    }

    record LocationFull(int location, long places) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("LocationFull", Json.object()
                    .with("location", Json.of(location))
                    .with("places", Json.of(places)));
        }
    }

    record AlreadyMoved(int character) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AlreadyMoved", Json.object().with("character", Json.of(character)));
        }
    }

    record NoFuel() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NoFuel", Json.object());
        }
    }

    record NoSuchEntrance(int entrance, int entrances) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NoSuchEntrance", Json.object()
                    .with("entrance", Json.of(entrance))
                    .with("entrances", Json.of(entrances)));
        }
    }

    record NoZombieThere(int entrance) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NoZombieThere", Json.object().with("entrance", Json.of(entrance)));
        }
    }

    record NoFreePlace(int entrance) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NoFreePlace", Json.object().with("entrance", Json.of(entrance)));
        }
    }

    record NoDieFor(int needed, List<Integer> left) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NoDieFor", Json.object()
                    .with("needed", Json.of(needed))
                    .with("left", Json.list(left, it -> Json.of(it))));
        }
    }

    record NoDieLeft() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NoDieLeft", Json.object());
        }
    }

    record NothingToSearch() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NothingToSearch", Json.object());
        }
    }

    record StackEmpty(int location) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("StackEmpty", Json.object().with("location", Json.of(location)));
        }
    }

    record NotInColony(int character) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotInColony", Json.object().with("character", Json.of(character)));
        }
    }

    record NoWaste() implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NoWaste", Json.object());
        }
    }

    record DisposedAlready(int character) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("DisposedAlready", Json.object().with("character", Json.of(character)));
        }
    }

    record NotInHand(int card, Few hand) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotInHand", Json.object()
                    .with("card", Json.of(card))
                    .with("hand", hand.toJson()));
        }
    }

    record NotWanted(int card, CrisisKind wanted) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotWanted", Json.object()
                    .with("card", Json.of(card))
                    .with("wanted", wanted.toJson()));
        }
    }

    record CardNeedsTarget(int card) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("CardNeedsTarget", Json.object().with("card", Json.of(card)));
        }
    }

    record CardTakesNoTarget(int card) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("CardTakesNoTarget", Json.object().with("card", Json.of(card)));
        }
    }

    record TargetNotHere(int target, Few here) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("TargetNotHere", Json.object()
                    .with("target", Json.of(target))
                    .with("here", here.toJson()));
        }
    }

    record NotInjured(int target) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NotInjured", Json.object().with("target", Json.of(target)));
        }
    }

    record AbilityIsPassive(int character) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AbilityIsPassive", Json.object().with("character", Json.of(character)));
        }
    }

    record AbilityNeedsTarget(int character) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AbilityNeedsTarget", Json.object().with("character", Json.of(character)));
        }
    }

    record AbilityTakesNoTarget(int character) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AbilityTakesNoTarget", Json.object().with("character", Json.of(character)));
        }
    }

    record AbilityUsedUp(int character, long times) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AbilityUsedUp", Json.object()
                    .with("character", Json.of(character))
                    .with("times", Json.of(times)));
        }
    }

    record AbilityElsewhere(int character, int location) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("AbilityElsewhere", Json.object()
                    .with("character", Json.of(character))
                    .with("location", Json.of(location)));
        }
    }

    record NoChildren(int character) implements Refusal {
        @Override
        public Json toJson() {
            return Json.object().with("NoChildren", Json.object().with("character", Json.of(character)));
        }
    }
}
