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

    record AlreadyRegistered(int player) implements Refusal {}

    record NotRegistered() implements Refusal {}

    record AlreadyStarted() implements Refusal {}

    record HasLeft(int player) implements Refusal {}

    record StillChoosing(int player) implements Refusal {}

    record NothingToChoose() implements Refusal {}

    record SameCharacterTwice(int character) implements Refusal {}

    record NotOffered(int character, Few offered) implements Refusal {}

    record NotYourTurn(int turn) implements Refusal {}

    record VoteFirst() implements Refusal {}

    record VotingNow(int asked) implements Refusal {}

    record NoVoteNow() implements Refusal {}

    record NotInEdition(Edition edition) implements Refusal {}

    record WrongArguments(int command, int given) implements Refusal {}

    record NotYourCharacter(int character, Few yours) implements Refusal {}

    record NoSuchLocation(int location, Few known) implements Refusal {}

    record AlreadyThere(int location) implements Refusal {}

    record LocationFull(int location, long places) implements Refusal {}

    record AlreadyMoved(int character) implements Refusal {}

    record NoFuel() implements Refusal {}

    record NoSuchEntrance(int entrance, int entrances) implements Refusal {}

    record NoZombieThere(int entrance) implements Refusal {}

    record NoFreePlace(int entrance) implements Refusal {}

    record NoDieFor(int needed, List<Integer> left) implements Refusal {}

    record NoDieLeft() implements Refusal {}

    record NothingToSearch() implements Refusal {}

    record StackEmpty(int location) implements Refusal {}

    record NotInColony(int character) implements Refusal {}

    record NoWaste() implements Refusal {}

    record DisposedAlready(int character) implements Refusal {}

    record NotInHand(int card, Few hand) implements Refusal {}

    record NotWanted(int card, CrisisKind wanted) implements Refusal {}

    record CardNeedsTarget(int card) implements Refusal {}

    record CardTakesNoTarget(int card) implements Refusal {}

    record TargetNotHere(int target, Few here) implements Refusal {}

    record NotInjured(int target) implements Refusal {}

    record AbilityIsPassive(int character) implements Refusal {}

    record AbilityNeedsTarget(int character) implements Refusal {}

    record AbilityTakesNoTarget(int character) implements Refusal {}

    record AbilityUsedUp(int character, long times) implements Refusal {}

    record AbilityElsewhere(int character, int location) implements Refusal {}

    record NoChildren(int character) implements Refusal {}
}
