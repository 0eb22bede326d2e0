//! Offers of a card game with hidden hands: their forms, the rules' answers, and laws that catch each fault.

use engine::{
    Answer, CommId, JavaRandom, Offers, OffersOf, Rulebook, Template, fill_json,
    laws::{Coverage, Trial, explore},
};
use serde_json::{Value, json};

use crate::{
    cards::{Cards, Command, Event, Fault},
    counter::{self, Counter},
};

const ANA: CommId = CommId(1);
const BO: CommId = CommId(2);
const EVE: CommId = CommId(3);

fn play(trial: &mut Trial<Cards>, client: CommId, command: Command) {
    trial.step(0, engine::Cause::Command { client, command });
}

/// A game after both players have joined.
fn begun() -> Trial<Cards> {
    let mut trial = Trial::new(&Fault::Nothing, 3, [ANA, BO, EVE]);
    play(&mut trial, ANA, Command::Join { name: "Ana".into() });
    play(&mut trial, BO, Command::Join { name: "Bo".into() });
    trial
}

/// Each offer with its answer.
fn listed(offers: &OffersOf<Cards>) -> Vec<String> {
    let leaves = offers.leaves().map(|leaf| {
        let Template { command, arguments, answer } = leaf.template;
        let answer = match answer {
            Answer::Untried => "?".into(),
            Answer::Possible => "yes".into(),
            Answer::Impossible { words, .. } => words.clone(),
            Answer::Uncertain => "perhaps".into(),
        };
        let (aside, blanks) = (if leaf.aside { " (aside)" } else { "" }, arguments.len());
        format!("{}{aside} {}/{blanks}: {answer}", leaf.label, engine::command_label(command))
    });
    leaves.collect()
}

#[test]
fn the_rules_answer() {
    let trial = begun();
    let offers = Cards::offers(trial.view(ANA));
    assert_eq!(
        listed(&offers),
        [
            "card 6 Play 6/0: yes",
            "card 4 Play 4/0: yes",
            "card 5 Play 5/0: yes",
            "card 0 Ask 0/0: perhaps",
            "card 1 Ask 1/0: perhaps",
            "card 2 Ask 2/0: perhaps",
            "card 3 Ask 3/0: perhaps",
            "card 7 Ask 7/0: perhaps",
            "card 8 Ask 8/0: perhaps",
            "Bet Bet 0/1: yes",
            "Write Note hm/1: yes",
            "An old card Play 9/0: NotYours { card: 9 }",
            "Give up (aside) Give up/0: yes",
        ]
    );
    let waiting = Cards::offers(trial.view(BO));
    assert_eq!(waiting.offers[0].why_not(), Some("NotNow"), "a group tells the most frequent reason");
    assert_eq!(listed(&Cards::offers(trial.view(EVE))), ["Join Join Ana/1: Full"]);
    assert_eq!(Counter::offers(&engine::Projection::new(&counter::Fault::Nothing)), Offers::none(""));
}

#[test]
fn the_form_for_pages() {
    let offers = Cards::offers(begun().view(ANA));
    let told = serde_json::to_value(&offers).expect("offers have a JSON form");
    assert_eq!(told["title"], "What now?");
    assert_eq!(
        told["offers"][0]["offers"][0],
        json!({"label": "card 6", "command": {"Play": {"card": 6}}}),
        "what is possible needs no more words"
    );
    assert_eq!(told["offers"][1]["offers"][0]["uncertain"], true);
    assert_eq!(
        told["offers"][2],
        json!({
            "label": "Bet",
            "command": {"Bet": {"coins": 0}},
            "arguments": [{"field": "coins", "label": "Coins", "range": {"least": 0, "most": 10}}],
        })
    );
    assert_eq!(told["offers"][3]["arguments"][0]["free"], json!({"about": "a list of words"}));
    assert_eq!(told["offers"][4]["impossible"], "NotYours { card: 9 }");
    assert_eq!(told["offers"][5]["aside"], true);

    // A client without the types reads the same form, and writes it again.
    let read: Offers<Value, ()> = serde_json::from_value(told.clone()).expect("offers can be read");
    assert_eq!(serde_json::to_value(&read).expect("offers have a JSON form"), told);
}

#[test]
fn arguments_are_filled_in() {
    let offers = Cards::offers(begun().view(ANA));
    let bet = offers.leaves().find(|leaf| leaf.label == "Bet").expect("it is offered").template;
    assert_eq!(bet.fill(&[json!(7)]), Ok(Command::Bet { coins: 7 }));
    assert_eq!(bet.fill(&[json!(10)]), Ok(Command::Bet { coins: 10 }));
    for wrong in [json!(-1), json!(11), json!("7"), json!(null)] {
        assert_eq!(bet.fill(&[wrong]).unwrap_err().to_string(), "Coins is a number from 0 to 10");
    }
    let join = Cards::offers(Trial::<Cards>::new(&Fault::Nothing, 3, [ANA]).view(ANA));
    let join = join.leaves().next().expect("joining is offered").template.clone();
    assert_eq!(join.fill(&[json!("Bo")]), Ok(Command::Join { name: "Bo".into() }));
    assert!(join.fill(&[json!("")]).is_err() && join.fill(&[json!("ninechars")]).is_err());
    assert!(join.fill(&[json!("eightchr")]).is_ok());
    let note = offers.leaves().find(|leaf| leaf.label == "Write").expect("it is offered").template;
    assert_eq!(note.fill(&[json!(["a", "b"])]), Ok(Command::Note { words: vec!["a".into(), "b".into()] }));
    assert!(note.fill(&[json!(5)]).is_err(), "the type of the field still counts");

    let filled = fill_json(json!({"Bet": {"coins": 0}}), &bet.arguments, &[json!(3)]);
    assert_eq!(filled, Ok(json!({"Bet": {"coins": 3}})));
}

#[test]
fn commands_without_words() {
    let commands = [0, 1].map(|card| Command::Play { card });
    let one_kind = Offers::<_, Event>::of_commands("Your turn", commands.clone());
    assert_eq!(one_kind.offers.iter().map(|offer| &*offer.label).collect::<Vec<_>>(), ["Play 0", "Play 1"]);
    let kinds = Offers::<_, Event>::of_commands("Your turn", commands.into_iter().chain([Command::GiveUp {}]));
    assert_eq!(kinds.offers.iter().map(|offer| &*offer.label).collect::<Vec<_>>(), ["Play", "Give up"]);
}

#[test]
fn random_games_obey_the_laws() {
    let mut coverage = Coverage::default();
    for seed in 0..200 {
        explore::<Cards>(&Fault::Nothing, seed, [ANA, BO, EVE], 500, &mut coverage);
    }
    assert_eq!(coverage.missing::<Command>("command"), [] as [&str; 0], "{coverage}");
    assert_eq!(coverage.times("end", "none"), 0, "every game ends");
    assert!(coverage.times("end", "player 0 won") > 20 && coverage.times("end", "player 1 won") > 20, "{coverage}");
    assert!(
        coverage.times("event", "NotThere") > 20,
        "what is uncertain is tried, and refused now and then: {coverage}"
    );
}

#[test]
fn a_sample_is_a_function_of_its_generator() {
    let trial = begun();
    let draw = |seed| Cards::sample(trial.view(ANA), &mut JavaRandom::new(seed));
    assert!((0..50).all(|seed| draw(seed) == draw(seed) && draw(seed).is_some_and(|one| one != Command::GiveUp {})));
    let bets = (0..500).filter_map(draw).filter(|command| matches!(command, Command::Bet { coins: 1.. }));
    assert!(bets.count() > 5, "ranges are drawn");
}

fn explored(fault: Fault) {
    for seed in 0..50 {
        explore::<Cards>(&fault, seed, [ANA, BO, EVE], 500, &mut Coverage::default());
    }
}

#[test]
#[should_panic(expected = "possible is Ask")]
fn what_is_possible_is_taken() {
    explored(Fault::Sure);
}

#[test]
#[should_panic(expected = "an imagined game has the view of client")]
fn imagined_games_have_the_view() {
    explored(Fault::OtherHand);
}

#[test]
#[should_panic(expected = "possible is Bet { coins: 11 }")]
fn every_value_is_possible() {
    explored(Fault::WideRange);
}

#[test]
#[should_panic(expected = "impossible is Play { card: 9 }")]
fn what_is_impossible_is_refused_for_that_reason() {
    explored(Fault::WrongReason);
}

#[test]
#[should_panic(expected = "a refusal has words")]
fn refusals_have_words() {
    explored(Fault::NoWords);
}

#[test]
#[should_panic(expected = "Play { card: 9 }")]
fn samples_are_taken() {
    explored(Fault::OldSample);
}

#[test]
#[should_panic(expected = "there are no offers after the end")]
fn nothing_is_offered_after_the_end() {
    explored(Fault::AfterTheEnd);
}

#[test]
#[should_panic(expected = "has the argument word")]
fn arguments_are_fields() {
    explored(Fault::UnknownField);
}
