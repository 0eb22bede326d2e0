// Made by generator/Generator.java from docs/protocol.json.
package holdfast.commlib.colony;

import holdfast.commlib.Json;
import holdfast.commlib.testkit.Client;
import holdfast.commlib.testkit.Game;
import java.util.List;

/** A client of a game of colony in a test. */
public final class TestClient extends Client {
    TestClient(Game<?> game, String name) {
        super(game, name);
    }

    public void sendRegister(String name) {
        send("Register", Json.of(name));
    }

    public void sendStartGame() {
        send("StartGame");
    }

    public void sendSelectCharacters(int first, int second) {
        send("SelectCharacters", Json.of(first), Json.of(second));
    }

    public void sendMove(int character, int location) {
        send("Move", Json.of(character), Json.of(location));
    }

    public void sendMove(int character, int location, Boolean fuel) {
        send("Move", Json.of(character), Json.of(location), fuel == null ? null : Json.of(fuel));
    }

    public void sendAttack(int character, int entrance) {
        send("Attack", Json.of(character), Json.of(entrance));
    }

    public void sendBarricade(int character, int entrance) {
        send("Barricade", Json.of(character), Json.of(entrance));
    }

    public void sendSearch(int character) {
        send("Search", Json.of(character));
    }

    public void sendCleanWaste(int character) {
        send("CleanWaste", Json.of(character));
    }

    public void sendContributeCard(int card) {
        send("ContributeCard", Json.of(card));
    }

    public void sendUseCard(int card) {
        send("UseCard", Json.of(card));
    }

    public void sendUseCard(int card, Integer character, Integer target) {
        send(
                "UseCard",
                Json.of(card),
                character == null ? null : Json.of(character),
                target == null ? null : Json.of(target));
    }

    public void sendUseAbility(int character) {
        send("UseAbility", Json.of(character));
    }

    public void sendUseAbility(int character, Integer target) {
        send("UseAbility", Json.of(character), target == null ? null : Json.of(target));
    }

    public void sendEndTurn() {
        send("EndTurn");
    }

    public void sendLeave() {
        send("Leave");
    }

    public void sendVote(boolean answer) {
        send("Vote", Json.of(answer));
    }

    public void sendWrongArguments(int command, int given) {
        send("WrongArguments", Json.of(command), Json.of(given));
    }

    public List<Json> assertConfig() {
        return assertEvent("Config");
    }

    public List<Json> assertConfig(String text) {
        return assertEvent("Config", Json.of(text));
    }

    public List<Json> untilConfig() {
        return untilEvent("Config");
    }

    public List<Json> untilConfig(String text) {
        return untilEvent("Config", Json.of(text));
    }

    public List<Json> assertActNow() {
        return assertEvent("ActNow");
    }

    public List<Json> untilActNow() {
        return untilEvent("ActNow");
    }

    public List<Json> assertCharacters() {
        return assertEvent("Characters");
    }

    public List<Json> assertCharacters(Integer c0, Integer c1, Integer c2, Integer c3) {
        return assertEvent(
                "Characters",
                c0 == null ? null : Json.of(c0),
                c1 == null ? null : Json.of(c1),
                c2 == null ? null : Json.of(c2),
                c3 == null ? null : Json.of(c3));
    }

    public List<Json> untilCharacters() {
        return untilEvent("Characters");
    }

    public List<Json> untilCharacters(Integer c0, Integer c1, Integer c2, Integer c3) {
        return untilEvent(
                "Characters",
                c0 == null ? null : Json.of(c0),
                c1 == null ? null : Json.of(c1),
                c2 == null ? null : Json.of(c2),
                c3 == null ? null : Json.of(c3));
    }

    public List<Json> assertCommandFailed() {
        return assertEvent("CommandFailed");
    }

    public List<Json> assertCommandFailed(String text) {
        return assertEvent("CommandFailed", Json.of(text));
    }

    public List<Json> untilCommandFailed() {
        return untilEvent("CommandFailed");
    }

    public List<Json> untilCommandFailed(String text) {
        return untilEvent("CommandFailed", Json.of(text));
    }

    public List<Json> assertVoteNow() {
        return assertEvent("VoteNow");
    }

    public List<Json> untilVoteNow() {
        return untilEvent("VoteNow");
    }

    public List<Json> assertRegistrationAborted() {
        return assertEvent("RegistrationAborted");
    }

    public List<Json> untilRegistrationAborted() {
        return untilEvent("RegistrationAborted");
    }

    public List<Json> assertGameStarted() {
        return assertEvent("GameStarted");
    }

    public List<Json> untilGameStarted() {
        return untilEvent("GameStarted");
    }

    public List<Json> assertPlayer() {
        return assertEvent("Player");
    }

    public List<Json> assertPlayer(Integer player, String name) {
        return assertEvent("Player", player == null ? null : Json.of(player), name == null ? null : Json.of(name));
    }

    public List<Json> untilPlayer() {
        return untilEvent("Player");
    }

    public List<Json> untilPlayer(Integer player, String name) {
        return untilEvent("Player", player == null ? null : Json.of(player), name == null ? null : Json.of(name));
    }

    public List<Json> assertCharacterSpawned() {
        return assertEvent("CharacterSpawned");
    }

    public List<Json> assertCharacterSpawned(Integer player, Integer character) {
        return assertEvent(
                "CharacterSpawned",
                player == null ? null : Json.of(player),
                character == null ? null : Json.of(character));
    }

    public List<Json> untilCharacterSpawned() {
        return untilEvent("CharacterSpawned");
    }

    public List<Json> untilCharacterSpawned(Integer player, Integer character) {
        return untilEvent(
                "CharacterSpawned",
                player == null ? null : Json.of(player),
                character == null ? null : Json.of(character));
    }

    public List<Json> assertChildSpawned() {
        return assertEvent("ChildSpawned");
    }

    public List<Json> untilChildSpawned() {
        return untilEvent("ChildSpawned");
    }

    public List<Json> assertCardDrawn() {
        return assertEvent("CardDrawn");
    }

    public List<Json> assertCardDrawn(Integer player, Integer card) {
        return assertEvent("CardDrawn", player == null ? null : Json.of(player), card == null ? null : Json.of(card));
    }

    public List<Json> untilCardDrawn() {
        return untilEvent("CardDrawn");
    }

    public List<Json> untilCardDrawn(Integer player, Integer card) {
        return untilEvent("CardDrawn", player == null ? null : Json.of(player), card == null ? null : Json.of(card));
    }

    public List<Json> assertNextRound() {
        return assertEvent("NextRound");
    }

    public List<Json> assertNextRound(Long round) {
        return assertEvent("NextRound", round == null ? null : Json.of(round));
    }

    public List<Json> untilNextRound() {
        return untilEvent("NextRound");
    }

    public List<Json> untilNextRound(Long round) {
        return untilEvent("NextRound", round == null ? null : Json.of(round));
    }

    public List<Json> assertCrisis() {
        return assertEvent("Crisis");
    }

    public List<Json> assertCrisis(Integer crisis) {
        return assertEvent("Crisis", crisis == null ? null : Json.of(crisis));
    }

    public List<Json> untilCrisis() {
        return untilEvent("Crisis");
    }

    public List<Json> untilCrisis(Integer crisis) {
        return untilEvent("Crisis", crisis == null ? null : Json.of(crisis));
    }

    public List<Json> assertDieRolled() {
        return assertEvent("DieRolled");
    }

    public List<Json> assertDieRolled(Integer player, Integer value) {
        return assertEvent("DieRolled", player == null ? null : Json.of(player), value == null ? null : Json.of(value));
    }

    public List<Json> untilDieRolled() {
        return untilEvent("DieRolled");
    }

    public List<Json> untilDieRolled(Integer player, Integer value) {
        return untilEvent("DieRolled", player == null ? null : Json.of(player), value == null ? null : Json.of(value));
    }

    public List<Json> assertMoved() {
        return assertEvent("Moved");
    }

    public List<Json> assertMoved(Integer character, Integer location, Boolean fuel) {
        return assertEvent(
                "Moved",
                character == null ? null : Json.of(character),
                location == null ? null : Json.of(location),
                fuel == null ? null : Json.of(fuel));
    }

    public List<Json> untilMoved() {
        return untilEvent("Moved");
    }

    public List<Json> untilMoved(Integer character, Integer location, Boolean fuel) {
        return untilEvent(
                "Moved",
                character == null ? null : Json.of(character),
                location == null ? null : Json.of(location),
                fuel == null ? null : Json.of(fuel));
    }

    public List<Json> assertZombieKilled() {
        return assertEvent("ZombieKilled");
    }

    public List<Json> assertZombieKilled(Integer character, Integer location, Integer entrance) {
        return assertEvent(
                "ZombieKilled",
                character == null ? null : Json.of(character),
                location == null ? null : Json.of(location),
                entrance == null ? null : Json.of(entrance));
    }

    public List<Json> untilZombieKilled() {
        return untilEvent("ZombieKilled");
    }

    public List<Json> untilZombieKilled(Integer character, Integer location, Integer entrance) {
        return untilEvent(
                "ZombieKilled",
                character == null ? null : Json.of(character),
                location == null ? null : Json.of(location),
                entrance == null ? null : Json.of(entrance));
    }

    public List<Json> assertBarricaded() {
        return assertEvent("Barricaded");
    }

    public List<Json> assertBarricaded(Integer character, Integer location, Integer entrance) {
        return assertEvent(
                "Barricaded",
                character == null ? null : Json.of(character),
                location == null ? null : Json.of(location),
                entrance == null ? null : Json.of(entrance));
    }

    public List<Json> untilBarricaded() {
        return untilEvent("Barricaded");
    }

    public List<Json> untilBarricaded(Integer character, Integer location, Integer entrance) {
        return untilEvent(
                "Barricaded",
                character == null ? null : Json.of(character),
                location == null ? null : Json.of(location),
                entrance == null ? null : Json.of(entrance));
    }

    public List<Json> assertSearched() {
        return assertEvent("Searched");
    }

    public List<Json> assertSearched(Integer character, Integer location) {
        return assertEvent(
                "Searched",
                character == null ? null : Json.of(character),
                location == null ? null : Json.of(location));
    }

    public List<Json> untilSearched() {
        return untilEvent("Searched");
    }

    public List<Json> untilSearched(Integer character, Integer location) {
        return untilEvent(
                "Searched",
                character == null ? null : Json.of(character),
                location == null ? null : Json.of(location));
    }

    public List<Json> assertWasteChanged() {
        return assertEvent("WasteChanged");
    }

    public List<Json> assertWasteChanged(Integer amount) {
        return assertEvent("WasteChanged", amount == null ? null : Json.of(amount));
    }

    public List<Json> untilWasteChanged() {
        return untilEvent("WasteChanged");
    }

    public List<Json> untilWasteChanged(Integer amount) {
        return untilEvent("WasteChanged", amount == null ? null : Json.of(amount));
    }

    public List<Json> assertContributed() {
        return assertEvent("Contributed");
    }

    public List<Json> assertContributed(Integer player, Integer card) {
        return assertEvent("Contributed", player == null ? null : Json.of(player), card == null ? null : Json.of(card));
    }

    public List<Json> untilContributed() {
        return untilEvent("Contributed");
    }

    public List<Json> untilContributed(Integer player, Integer card) {
        return untilEvent("Contributed", player == null ? null : Json.of(player), card == null ? null : Json.of(card));
    }

    public List<Json> assertCardUsed() {
        return assertEvent("CardUsed");
    }

    public List<Json> assertCardUsed(Integer card, Integer character, Integer target) {
        return assertEvent(
                "CardUsed",
                card == null ? null : Json.of(card),
                character == null ? null : Json.of(character),
                target == null ? null : Json.of(target));
    }

    public List<Json> untilCardUsed() {
        return untilEvent("CardUsed");
    }

    public List<Json> untilCardUsed(Integer card, Integer character, Integer target) {
        return untilEvent(
                "CardUsed",
                card == null ? null : Json.of(card),
                character == null ? null : Json.of(character),
                target == null ? null : Json.of(target));
    }

    public List<Json> assertAbilityUsed() {
        return assertEvent("AbilityUsed");
    }

    public List<Json> assertAbilityUsed(Integer character, Integer target) {
        return assertEvent(
                "AbilityUsed",
                character == null ? null : Json.of(character),
                target == null ? null : Json.of(target));
    }

    public List<Json> untilAbilityUsed() {
        return untilEvent("AbilityUsed");
    }

    public List<Json> untilAbilityUsed(Integer character, Integer target) {
        return untilEvent(
                "AbilityUsed",
                character == null ? null : Json.of(character),
                target == null ? null : Json.of(target));
    }

    public List<Json> assertFoodChanged() {
        return assertEvent("FoodChanged");
    }

    public List<Json> assertFoodChanged(Integer amount, FoodChange reason) {
        return assertEvent(
                "FoodChanged",
                amount == null ? null : Json.of(amount),
                reason == null ? null : reason.toJson());
    }

    public List<Json> untilFoodChanged() {
        return untilEvent("FoodChanged");
    }

    public List<Json> untilFoodChanged(Integer amount, FoodChange reason) {
        return untilEvent(
                "FoodChanged",
                amount == null ? null : Json.of(amount),
                reason == null ? null : reason.toJson());
    }

    public List<Json> assertMoralChanged() {
        return assertEvent("MoralChanged");
    }

    public List<Json> assertMoralChanged(Integer amount, MoralChange reason) {
        return assertEvent(
                "MoralChanged",
                amount == null ? null : Json.of(amount),
                reason == null ? null : reason.toJson());
    }

    public List<Json> untilMoralChanged() {
        return untilEvent("MoralChanged");
    }

    public List<Json> untilMoralChanged(Integer amount, MoralChange reason) {
        return untilEvent(
                "MoralChanged",
                amount == null ? null : Json.of(amount),
                reason == null ? null : reason.toJson());
    }

    public List<Json> assertWounded() {
        return assertEvent("Wounded");
    }

    public List<Json> assertWounded(Integer character) {
        return assertEvent("Wounded", character == null ? null : Json.of(character));
    }

    public List<Json> untilWounded() {
        return untilEvent("Wounded");
    }

    public List<Json> untilWounded(Integer character) {
        return untilEvent("Wounded", character == null ? null : Json.of(character));
    }

    public List<Json> assertFrostbitten() {
        return assertEvent("Frostbitten");
    }

    public List<Json> assertFrostbitten(Integer character) {
        return assertEvent("Frostbitten", character == null ? null : Json.of(character));
    }

    public List<Json> untilFrostbitten() {
        return untilEvent("Frostbitten");
    }

    public List<Json> untilFrostbitten(Integer character) {
        return untilEvent("Frostbitten", character == null ? null : Json.of(character));
    }

    public List<Json> assertBitten() {
        return assertEvent("Bitten");
    }

    public List<Json> assertBitten(Integer character) {
        return assertEvent("Bitten", character == null ? null : Json.of(character));
    }

    public List<Json> untilBitten() {
        return untilEvent("Bitten");
    }

    public List<Json> untilBitten(Integer character) {
        return untilEvent("Bitten", character == null ? null : Json.of(character));
    }

    public List<Json> assertSurvivorKilled() {
        return assertEvent("SurvivorKilled");
    }

    public List<Json> assertSurvivorKilled(Integer character) {
        return assertEvent("SurvivorKilled", character == null ? null : Json.of(character));
    }

    public List<Json> untilSurvivorKilled() {
        return untilEvent("SurvivorKilled");
    }

    public List<Json> untilSurvivorKilled(Integer character) {
        return untilEvent("SurvivorKilled", character == null ? null : Json.of(character));
    }

    public List<Json> assertChildKilled() {
        return assertEvent("ChildKilled");
    }

    public List<Json> untilChildKilled() {
        return untilEvent("ChildKilled");
    }

    public List<Json> assertColonyPhaseStarted() {
        return assertEvent("ColonyPhaseStarted");
    }

    public List<Json> untilColonyPhaseStarted() {
        return untilEvent("ColonyPhaseStarted");
    }

    public List<Json> assertStarvationTokenAdded() {
        return assertEvent("StarvationTokenAdded");
    }

    public List<Json> untilStarvationTokenAdded() {
        return untilEvent("StarvationTokenAdded");
    }

    public List<Json> assertZombieSpawned() {
        return assertEvent("ZombieSpawned");
    }

    public List<Json> assertZombieSpawned(Integer location, Integer entrance) {
        return assertEvent(
                "ZombieSpawned",
                location == null ? null : Json.of(location),
                entrance == null ? null : Json.of(entrance));
    }

    public List<Json> untilZombieSpawned() {
        return untilEvent("ZombieSpawned");
    }

    public List<Json> untilZombieSpawned(Integer location, Integer entrance) {
        return untilEvent(
                "ZombieSpawned",
                location == null ? null : Json.of(location),
                entrance == null ? null : Json.of(entrance));
    }

    public List<Json> assertBarricadeDestroyed() {
        return assertEvent("BarricadeDestroyed");
    }

    public List<Json> assertBarricadeDestroyed(Integer location, Integer entrance) {
        return assertEvent(
                "BarricadeDestroyed",
                location == null ? null : Json.of(location),
                entrance == null ? null : Json.of(entrance));
    }

    public List<Json> untilBarricadeDestroyed() {
        return untilEvent("BarricadeDestroyed");
    }

    public List<Json> untilBarricadeDestroyed(Integer location, Integer entrance) {
        return untilEvent(
                "BarricadeDestroyed",
                location == null ? null : Json.of(location),
                entrance == null ? null : Json.of(entrance));
    }

    public List<Json> assertLeft() {
        return assertEvent("Left");
    }

    public List<Json> assertLeft(Integer player) {
        return assertEvent("Left", player == null ? null : Json.of(player));
    }

    public List<Json> untilLeft() {
        return untilEvent("Left");
    }

    public List<Json> untilLeft(Integer player) {
        return untilEvent("Left", player == null ? null : Json.of(player));
    }

    public List<Json> assertGameEnd() {
        return assertEvent("GameEnd");
    }

    public List<Json> assertGameEnd(Boolean win) {
        return assertEvent("GameEnd", win == null ? null : Json.of(win));
    }

    public List<Json> untilGameEnd() {
        return untilEvent("GameEnd");
    }

    public List<Json> untilGameEnd(Boolean win) {
        return untilEvent("GameEnd", win == null ? null : Json.of(win));
    }

    public List<Json> assertCrossroad() {
        return assertEvent("Crossroad");
    }

    public List<Json> assertCrossroad(Integer fate) {
        return assertEvent("Crossroad", fate == null ? null : Json.of(fate));
    }

    public List<Json> untilCrossroad() {
        return untilEvent("Crossroad");
    }

    public List<Json> untilCrossroad(Integer fate) {
        return untilEvent("Crossroad", fate == null ? null : Json.of(fate));
    }

    public List<Json> assertVoteResult() {
        return assertEvent("VoteResult");
    }

    public List<Json> assertVoteResult(Boolean answer) {
        return assertEvent("VoteResult", answer == null ? null : Json.of(answer));
    }

    public List<Json> untilVoteResult() {
        return untilEvent("VoteResult");
    }

    public List<Json> untilVoteResult(Boolean answer) {
        return untilEvent("VoteResult", answer == null ? null : Json.of(answer));
    }

    public List<Json> assertRegistered() {
        return assertEvent("Registered");
    }

    public List<Json> assertRegistered(Integer player, String name) {
        return assertEvent("Registered", player == null ? null : Json.of(player), name == null ? null : Json.of(name));
    }

    public List<Json> untilRegistered() {
        return untilEvent("Registered");
    }

    public List<Json> untilRegistered(Integer player, String name) {
        return untilEvent("Registered", player == null ? null : Json.of(player), name == null ? null : Json.of(name));
    }

    public List<Json> assertChoiceOffered() {
        return assertEvent("ChoiceOffered");
    }

    public List<Json> assertChoiceOffered(Integer player) {
        return assertEvent("ChoiceOffered", player == null ? null : Json.of(player));
    }

    public List<Json> untilChoiceOffered() {
        return untilEvent("ChoiceOffered");
    }

    public List<Json> untilChoiceOffered(Integer player) {
        return untilEvent("ChoiceOffered", player == null ? null : Json.of(player));
    }

    public List<Json> assertTurnBegan() {
        return assertEvent("TurnBegan");
    }

    public List<Json> assertTurnBegan(Integer player) {
        return assertEvent("TurnBegan", player == null ? null : Json.of(player));
    }

    public List<Json> untilTurnBegan() {
        return untilEvent("TurnBegan");
    }

    public List<Json> untilTurnBegan(Integer player) {
        return untilEvent("TurnBegan", player == null ? null : Json.of(player));
    }

    public List<Json> assertTurnEnded() {
        return assertEvent("TurnEnded");
    }

    public List<Json> assertTurnEnded(Integer player) {
        return assertEvent("TurnEnded", player == null ? null : Json.of(player));
    }

    public List<Json> untilTurnEnded() {
        return untilEvent("TurnEnded");
    }

    public List<Json> untilTurnEnded(Integer player) {
        return untilEvent("TurnEnded", player == null ? null : Json.of(player));
    }

    public List<Json> assertDieSpent() {
        return assertEvent("DieSpent");
    }

    public List<Json> assertDieSpent(Integer player, Integer value) {
        return assertEvent("DieSpent", player == null ? null : Json.of(player), value == null ? null : Json.of(value));
    }

    public List<Json> untilDieSpent() {
        return untilEvent("DieSpent");
    }

    public List<Json> untilDieSpent(Integer player, Integer value) {
        return untilEvent("DieSpent", player == null ? null : Json.of(player), value == null ? null : Json.of(value));
    }

    public List<Json> assertEffectUsed() {
        return assertEvent("EffectUsed");
    }

    public List<Json> assertEffectUsed(Integer character, Effect effect) {
        return assertEvent(
                "EffectUsed",
                character == null ? null : Json.of(character),
                effect == null ? null : effect.toJson());
    }

    public List<Json> untilEffectUsed() {
        return untilEvent("EffectUsed");
    }

    public List<Json> untilEffectUsed(Integer character, Effect effect) {
        return untilEvent(
                "EffectUsed",
                character == null ? null : Json.of(character),
                effect == null ? null : effect.toJson());
    }

    public List<Json> assertVoteAsked() {
        return assertEvent("VoteAsked");
    }

    public List<Json> assertVoteAsked(Integer player) {
        return assertEvent("VoteAsked", player == null ? null : Json.of(player));
    }

    public List<Json> untilVoteAsked() {
        return untilEvent("VoteAsked");
    }

    public List<Json> untilVoteAsked(Integer player) {
        return untilEvent("VoteAsked", player == null ? null : Json.of(player));
    }
}
