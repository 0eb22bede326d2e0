//! The names of all mutants, what each does wrong, and in which section of the rules.
//!
//! A mutant that nobody can tell from the rules stays here with the proof, as an expected survivor.

/// One mistake that a server could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant {
    pub name: &'static str,
    /// The section of the rules that it breaks.
    pub section: &'static str,
    /// The editions in which it can be seen.
    pub editions: &'static str,
    /// What the faulty server does.
    pub mistake: &'static str,
    /// Why no client can see the mistake, where that is so.
    pub equivalent: Option<&'static str>,
}

macro_rules! table {
    ($(section $section:literal {
        $($name:literal, $editions:literal, $mistake:literal $(, equivalent: $reason:literal)?;)*
    })*) => {
        pub const MUTANTS: &[Mutant] = &[$($(Mutant {
            name: $name,
            section: $section,
            editions: $editions,
            mistake: $mistake,
            equivalent: table!(@reason $($reason)?),
        },)*)*];
    };
    (@reason) => { None };
    (@reason $reason:literal) => { Some($reason) };
}

table! {
    section "1 Editions" {
        "guess-ignores-crossroads", "fate", "a crossroads list does not make the guessed edition `fate`";
        "guess-ignores-equipment", "equipment", "equipment cards do not make the guessed edition `equipment`";
        "group-waste-as-change", "group", "`WasteChanged` carries the change in the group edition too";
        "group-counts-rounds-down", "group", "`NextRound` carries the rounds left in the group edition too";
        "group-disposal-unlimited", "group", "waste disposal in the group edition is that of the others";
        "group-plays-equipment", "group", "equipment can be played in the group edition";
        "fate-without-the-edition", "equipment",
            "a crossroads list is shuffled and drawn from in the equipment edition too";
        "rounds-left-without-this", "equipment, fate", "`NextRound` counts N-1 .. 0 instead of N .. 1";
        "fuel-by-move-everywhere", "equipment, fate", "`Move` with fuel=true is taken outside the group edition";
        "group-fuel-by-card", "group", "FUEL is played by `UseCard` in the group edition";
        "moved-flag-only-with-fuel", "group", "`Moved` carries the fuel flag only when it is true";
    }

    section "2 Scenario file" {
        "one-character-too-few-passes", "all", "a scenario with 2*maxPlayers+1 characters is taken";
        "location-cards-not-counted", "all", "a location with fewer than 5*maxPlayers cards is taken";
        "crises-one-too-many-asked", "all", "as many crises as rounds are refused as too few";
        "fate-cards-per-round-only", "fate", "fate cards are needed for the rounds, not for each player in them";
        "die-of-six-refused", "all", "an attack, search or dieValue of 6 is refused";
        "full-entrances-refused", "all", "as many starting zombies as places are refused";
        "barricade-goal-unbounded", "all", "a barricade goal above all places is taken";
        "zombie-goal-without-colony", "all", "`locationWithZombies` may be at most the locations without the colony";
        "same-status-passes", "all", "two characters may have the same status";
    }

    section "3 Randomness" {
        "cards-not-shuffled", "all", "the cards of the colony and of every location lie in the order of the file";
        "crises-not-shuffled", "all", "the crises come in the order of the file";
        "fates-from-the-back", "fate", "fate cards are drawn from the back of the shuffled stack";
        "cards-from-the-back", "all", "stacks are drawn from the back";
        "characters-shuffled-once", "all", "the unused characters are shuffled for the first player only";
        "no-last-shuffle", "all", "the unused characters are not shuffled after the last player";
        "infection-die-from-one", "all", "the infection die shows 1 to 12";
        "eleven-is-frostbite", "all", "an infection roll of 11 is a frostbite";
        "encounter-by-cards-left", "all", "the encounter die has as many sides as cards are left";
        "encounter-rolled-in-vain", "all", "the encounter die is rolled although nobody is unused";
        "three-children-never-met", "all", "an encounter brings at most two children";
        "start-zombies-from-one", "all", "the zombies of the goal begin at entrance 1";
        "start-children-forgotten", "all", "the children of the goal are not there";
    }

    section "4 Registration" {
        "registering-twice-ignored", "all", "a second `Register` of a client gets no answer";
        "config-to-everybody", "all", "`Config` goes to all who are registered";
        "full-table-waits", "all", "the game does not start by itself with maxPlayers";
        "stranger-starts", "all", "`StartGame` of a client that is not registered starts the game";
        "other-command-only-refused", "all", "another command during registration is refused, and registration goes on";
        "registration-never-times-out", "all", "a timeout during registration does nothing";
        "strangers-refused", "all", "in-game commands of a client that never registered are refused, not ignored";
        "leavers-ignored", "all", "a command of a player who has left gets no answer";
    }

    section "4 Preparation" {
        "chosen-in-named-order", "all", "the chosen characters spawn in the order of the command, not by identifier";
        "one-character-twice", "all", "the same character can be chosen twice";
        "rejected-to-the-front", "all", "the characters that were not chosen go to the front of the unused";
        "four-start-cards", "all", "a player starts with four cards";
        "offer-repeated", "all", "`Characters` is sent again after a failed choice";
        "offered-lost-by-timeout", "all", "the four characters of a player who times out do not come back";
        "anybody-chooses", "all", "`SelectCharacters` of any player is taken for the choosing one";
    }

    section "4 Round" {
        "one-die-short", "all", "as many dice as survivors are rolled";
        "leavers-roll-dice", "all", "a player who has left rolls a die in every round";
        "one-frostbite-harmless", "all", "a single frostbite does not wound at the start of the turn";
        "one-wound-for-all-frostbites", "all",
            "a survivor gets one wound at the start of the turn, however many frostbites it has",
            equivalent: "two frostbites and the first wound are three injuries, which kill: there is never a second wound";
        "frostbite-kills-at-four", "all", "the wound by a frostbite kills only as the fourth injury";
        "frostbite-youngest-first", "all", "frostbites wound the survivors in reverse order of their arrival";
        "no-act-now-after-refusal", "all", "`ActNow` is not sent again after a failed command";
        "act-now-after-anothers", "all", "a refused command of another player makes a new `ActNow`";
        "turn-goes-to-leavers", "all", "a player who has left still gets a turn";
        "timeout-ends-turn", "all", "a timeout in a turn is `EndTurn` instead of `Leave`";
        "dice-kept", "all", "unused dice are kept for the next round";
        "disposal-not-renewed", "group", "the waste disposal of a player does not start afresh";
        "move-not-renewed", "all", "a survivor moves once in the whole game";
        "ability-not-renewed", "all", "the activations of an ability do not start afresh";
        "equipment-not-renewed", "equipment, fate", "used equipment does not start afresh";
    }

    section "4 Colony phase" {
        "children-not-fed", "all", "the food needed leaves out the children";
        "half-rounded-down", "all", "half of those in the colony is rounded down";
        "nobody-eats-too", "all", "`FoodChanged` is sent also when no food is needed";
        "last-food-not-eaten", "all", "exactly enough food counts as too little";
        "starving-empties-stock", "all", "too little food is taken all the same";
        "starvation-costs-one", "all", "starvation costs one morale, however many tokens there are";
        "waste-rounded-up", "all", "every ten of waste that were begun cost morale";
        "crisis-needs-one-more", "all", "exactly the required cards do not avert the crisis";
        "crisis-bonus-early", "all", "one card above the required gives morale";
        "contributions-kept", "all", "contributed cards count for the next crisis too";
        "zombies-ignore-children", "all", "children bring no zombies to the colony";
        "half-at-locations-too", "all", "half as many zombies as survivors come to a location";
        "goal-before-zombies", "all", "the goal is looked at before the zombies come";
        "barricade-goal-one-more", "all", "the barricade goal needs more than n";
        "zombie-goal-one-fewer", "all", "the goal locationWithZombies needs fewer than n";
        "one-round-more", "all", "the last round is the one after the last";
        "missed-goal-wins", "all", "the end of the last round wins without the goal";
        "zombies-at-first-entrance", "all", "all zombies come to entrance 0";
        "zombies-ignore-barricades", "all", "barricades take no place from zombies";
        "barricade-not-removed", "all", "a destroyed barricade stays";
        "zombie-enters-after-barricade", "all", "the zombie that destroys a barricade takes its place";
        "survivor-before-child", "all", "zombies kill survivors although there are children";
        "children-die-anywhere", "all", "zombies at any location kill a child first";
        "child-unmourned", "all", "a child killed by zombies costs no morale";
        "strongest-dies-first", "all", "the survivor with the highest status dies first";
    }

    section "5 Death and infection" {
        "four-injuries-kill", "all", "the fourth injury kills, not the third";
        "frostbite-is-no-injury", "all", "frostbites do not count as injuries";
        "bite-does-not-spread", "all", "a bite kills and does not spread";
        "bite-spreads-in-colony", "all", "a bite spreads in the colony, wherever it happened";
        "child-infected-by-bite-only", "all", "a spreading infection kills a child only by a bite";
        "infection-stops-after-child", "all", "an infection stops after one child";
        "infection-skips-children", "all", "an infection in the colony spreads among the survivors only";
        "infection-needs-a-bite", "all", "a spreading infection kills a survivor only by a bite";
        "infection-stops-early", "all", "an infection stops after one more survivor";
        "death-mourned-twice", "all", "the morale for a survivor is lost twice";
        "leavers-get-newcomers", "all", "the last survivor of a player who left is replaced";
        "turn-goes-on-after-death", "all", "the turn goes on when the last survivor is replaced";
        "turn-lost-by-anothers-death", "all", "the turn ends when any player's last survivor dies";
        "newcomer-from-the-back", "all", "a new survivor comes from the back of the unused";
        "hand-outlives-its-player", "all", "a player keeps the hand when the last survivor dies";
        "morale-zero-goes-on", "all", "the game goes on at morale 0";
    }

    section "6 Commands" {
        "anybodys-character", "all", "a command may name another player's character";
        "entrance-past-the-last", "all", "the number of entrances is taken as an entrance";
        "largest-die-spent", "all", "the largest die that is high enough is spent";
        "any-die-is-the-largest", "all", "where any die does, the largest is spent";
        "broadcast-misses-the-last", "all", "what all are told does not reach the player with the highest number";
        "refusal-to-everybody", "all", "`CommandFailed` goes to all";
        "anybodys-card", "all", "a command may name a card of another player's hand";
        "target-from-afar", "all", "a target character may be at another location";
    }

    section "6 Move" {
        "moves-twice", "all", "a character may move any number of times";
        "moves-on-the-spot", "all", "a character may move to where it is";
        "one-place-more", "all", "a location takes one survivor more than it has places";
        "fuel-makes-no-waste", "group", "FUEL of a move does not land on the waste pile";
        "highest-fuel-taken", "group", "a move with fuel takes the FUEL card with the highest identifier";
        "boots-stop-bites", "equipment, fate", "snow boots make a wound of a bite too";
        "boots-do-nothing", "equipment, fate", "snow boots have no effect";
        "wound-changes-every-injury", "all", "the ability WOUND changes every injury of a move";
    }

    section "6 UseCard" {
        "fuel-card-says-moved", "equipment, fate", "a FUEL card is followed by `Moved`";
        "fuel-card-keeps-the-move", "equipment, fate", "a FUEL card does not spend the move";
        "food-card-feeds-one", "all", "a FOOD card brings one food, whatever it says";
        "stuff-without-a-die", "all", "STUFF can be played without a die left";
        "stuff-rolls-the-largest", "all", "STUFF rolls the largest die again";
        "wound-healed-first", "all", "a wound is healed before a frostbite";
        "healthy-healed", "all", "a character without an injury can be healed";
        "lock-builds-nothing", "all", "LOCK builds no barricade";
        "scissors-roll-infection", "all", "SCISSORS roll the infection die, to no effect";
        "equipment-is-waste", "equipment, fate", "equipment that is put on lands on the waste pile";
        "used-card-kept", "all", "a card that was played stays in the hand";
    }

    section "6 Attack" {
        "equal-die-too-low", "all", "a die must show more than the attack";
        "attack-spends-nothing", "all", "an attack needs a die and does not spend it";
        "killed-zombie-stays", "all", "a killed zombie is still there";
        "no-infection-ignored", "all", "the ability NO_INFECTION has no effect";
        "colt-without-limit", "equipment, fate", "a colt is not used up";
    }

    section "6 Barricade" {
        "hammer-needs-a-die", "equipment, fate", "building with a hammer spends a die";
        "hammer-without-limit", "equipment, fate", "a hammer is not used up";
        "fourth-barricade", "all", "an entrance without a free place can be barricaded";
        "zombies-leave-room", "all", "zombies take no place from barricades";
    }

    section "6 Search" {
        "colony-searched", "all", "the colony can be searched",
            equivalent: "the start stack is gone after preparation, so the command fails as a search of an empty stack";
        "empty-stack-searched", "all", "a location without cards can be searched";
        "search-with-attack", "all", "a search needs a die as high as the attack";
        "encounter-draws-a-card", "all", "a search that meets somebody draws cards too";
        "found-card-to-the-first", "all", "found cards go to player 0";
        "card-told-to-its-owner-only", "all", "`CardDrawn` goes to the player who draws only";
        "blueprint-draws-three", "equipment, fate", "a blueprint draws three cards";
        "blueprint-anywhere", "equipment, fate", "a blueprint works at any location";
        "blueprint-without-limit", "equipment, fate", "a blueprint is not used up";
        "search-ability-anywhere", "all", "the ability SEARCH works at any location";
        "search-ability-once-more", "all", "the ability SEARCH has one activation more";
        "search-ability-instead", "all", "the ability SEARCH draws numCards, not one more";
    }

    section "6 CleanWaste" {
        "waste-cleaned-anywhere", "all", "waste can be cleaned outside the colony";
        "no-waste-cleaned", "all", "an empty waste pile can be cleaned";
        "four-cleaned", "all", "plain disposal removes four";
        "swab-like-hands", "equipment, fate", "a swab removes three";
        "swab-without-limit", "equipment, fate", "a swab is not used up";
        "trash-spends-a-die", "equipment, fate", "TRASH and a swab spend a die";
        "trash-needs-no-die", "equipment, fate", "TRASH and a swab work without a die left";
        "group-cleans-again", "group", "the plain disposal can be used again in a round";
        "trash-shares-the-disposal", "group", "TRASH is not possible after the plain disposal of the round";
        "waste-below-zero", "all", "more waste is removed than there is";
    }

    section "6 ContributeCard" {
        "equipment-not-contributed", "all", "equipment does not count as STUFF";
        "tools-are-no-stuff", "all", "LOCK and SCISSORS count as MEDICINE";
        "contribution-is-waste", "all", "a contributed card lands on the waste pile";
        "contributed-card-kept", "all", "a contributed card stays in the hand";
    }

    section "6 UseAbility" {
        "feed-brings-one", "all", "FEED brings one food, whatever numFood says";
        "fed-twice", "all", "FEED works twice per round";
        "healed-twice", "all", "HEAL works twice per round";
        "one-barricade-at-a-time", "all", "BARRICADE builds one, whatever numBarricades says";
        "ability-once-more", "all", "every active ability has one activation more";
        "kill-anywhere", "all", "KILL works at any location";
        "kill-without-children", "all", "KILL works without the children that it asks for";
        "kill-with-any-die", "all", "KILL takes any die";
        "kills-one", "all", "KILL kills one zombie, whatever numZombies says";
        "kill-always-infects", "all", "KILL rolls the infection die also without `infectionDie`";
    }

    section "6 Leave" {
        "weakest-leaves-first", "all", "the survivors of a leaver die by ascending status";
        "leaver-not-told", "all", "a leaver is not told its own `Left`";
        "leaver-hears-on", "all", "a leaver is told what happens after it left";
    }

    section "7 Fate cards" {
        "fate-at-any-location", "fate", "a fate card fires at any location";
        "equip-never-fires", "fate", "playing equipment triggers no fate card";
        "fuel-fires-nothing", "fate", "FUEL does not trigger `moved`";
        "lock-fires-nothing", "fate", "LOCK does not trigger `barricaded`";
        "waste-fate-one-late", "fate", "`wasteChanged` above 0 fires one card too late";
        "waste-fate-one-less", "fate", "`wasteChanged` below 0 fires one card too late";
        "waste-fate-by-any-action", "fate", "`wasteChanged` is looked at after actions without `WasteChanged` too";
        "waste-fate-by-the-pile", "fate", "`wasteChanged` looks at the size of the pile, not at its change in the turn";
        "fate-fires-again", "fate", "a fate card fires at every action that meets its trigger";
        "fate-starves-at-zero", "fate", "`changeFood` that takes the last food adds a starvation token";
        "fate-survivor-to-the-first", "fate", "`spawnSurvivors` is for player 0";
        "one-child-by-fate", "fate", "`spawnSurvivors` with children brings one child";
        "fate-zombies-spare-colony", "fate", "`spawnZombies` without a location leaves out the colony";
        "fate-zombies-to-colony", "fate", "`spawnZombies` with a location comes to the colony";
        "vote-starts-with-the-actor", "fate", "a vote starts with the player whose card it is";
        "vote-not-asked-again", "fate", "`VoteNow` is not sent again after another command";
        "ignored-while-voting", "fate", "commands of those who are not asked get no answer during a vote";
        "tie-is-no", "fate", "a tied vote is a no";
        "consequences-swapped", "fate", "a yes brings the second consequence";
        "silence-is-a-no", "fate", "a timeout while voting counts as a no";
    }
}
