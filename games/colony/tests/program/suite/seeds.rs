//! Compares the seeds that are found for wishes with the games of these seeds.

use colony::{
    script::{Colony, Games, Search, Wish},
    strategy,
    table::Table,
};
use colony_rules::{Event, Setup};
use script::{RecordedGame, ScenarioText, Script, scripted};
use systemtests::{
    local::InProcess,
    play::Play,
    run::run,
    seeds::{self, Found},
};

fn search(scenario: &str, players: usize, bot: &str, want: &str) -> Search {
    let text = colony::scenario(scenario).expect("it is built in");
    let setup = Setup::new(text, None, None).expect("it is sound");
    let bot = strategy(bot).expect("there is such a bot").bot;
    let games = Games::plain(&setup, players, bot).expect("so many can play");
    let wish = Wish::read(want, &setup.scenario, &games.players).unwrap_or_else(|problem| panic!("{problem}"));
    Search::new(games, &wish)
}

fn find(search: &Search, limit: u64, count: usize) -> Vec<i64> {
    let found = seeds::find(search, 0, limit, count, 2, &|_| {});
    let alone = seeds::find(search, 0, limit, count, 1, &|_| {});
    assert_eq!(found.seeds, alone.seeds, "who else looks makes no difference");
    found.seeds
}

/// Turns the game of a seed into a script, and checks that playing the script passes.
fn script(search: &mut Search, seed: i64) -> Script {
    let recording = search.record("found", seed);
    let scenario = recording.scenario();
    assert!(matches!(scenario, ScenarioText::File(_)), "it is built in");
    let transcript = recording.transcript(1, scenario);
    let script = Script::of_transcript(scripted::<Colony>(), transcript, (*recording.setup.text).into(), "found");
    run(&Play::new(&script), &InProcess).unwrap_or_else(|failure| panic!("{}", failure.message));
    script
}

fn lines(script: &Script) -> Vec<String> {
    (0..script.transcript.steps.len()).map(|at| script.line(at)).collect()
}

#[test]
fn the_first_move_ends_in_a_bite() {
    let mut search = search("first-night", 2, "sensible", "first Moved causes Bitten");
    let seeds = find(&search, 2000, 1);
    let lines = lines(&script(&mut search, *seeds.first().expect("there is one")));
    let sent: Vec<&String> = lines.iter().filter(|line| line.contains(": Move ")).collect();
    let [only] = sent.as_slice() else { panic!("the first move is the last: {lines:?}") };
    let after = lines.iter().position(|line| line == *only).expect("it is there");
    assert!(lines[after..].iter().any(|line| line.contains(": Bitten ")), "{lines:?}");
}

#[test]
fn a_player_is_offered_four_given_characters() {
    let four = "Maren Tove Runa Aksel";
    for (player, limit) in [("Ana", 20_000), ("Bo", 5000)] {
        let mut search = search("first-night", 2, "sensible", &format!("offered {player} in any order: {four}"));
        let seeds = find(&search, limit, 2);
        assert_eq!(seeds.len(), 2, "{player}");
        for seed in seeds {
            let lines = lines(&script(&mut search, seed));
            let offered =
                lines.iter().find(|line| line.starts_with(&format!("{player}: Characters "))).expect("offered");
            assert!(four.split(' ').all(|name| offered.contains(name)), "{offered}");
        }
    }
    let mut search = search("first-night", 2, "sensible", &format!("offered Ana: {four}"));
    let seeds = find(&search, 20_000, 1);
    assert!(lines(&script(&mut search, seeds[0])).contains(&format!("Ana: Characters {four}")));
}

/// Wishes that only the start of a game decides get the same verdict from the played game.
#[test]
fn a_wish_for_the_start_is_granted_by_the_game() {
    let text = colony::scenario("winter").expect("it is built in");
    let setup = Setup::new(text, None, None).expect("it is sound");
    let bot = strategy("random").expect("there is such a bot").bot;
    let mut dice = search("winter", 3, "random", "dice 6 _ 1 or dice 2 2");
    let mut cards = search("winter", 3, "random", "cards colony: food _ fuel");
    let mut granted = [0; 2];
    for seed in 0..500 {
        let mut table = Table::new(&setup, seed, &[bot; 3]);
        let (mut rolled, mut drawn) = (Vec::new(), Vec::new());
        while rolled.len() < 9 {
            let (client, command) = table.next_command().expect("the first round begins");
            table.play(client, command);
            for (_, event) in table.outbox().events() {
                if let Event::DieRolled { value, .. } = *event {
                    rolled.push(value);
                }
                if let Event::CardDrawn { card, .. } = *event {
                    drawn.push(setup.scenario.card(setup.card_ix(card).expect("it is known")).kind.key());
                }
            }
        }
        let right = [
            rolled.starts_with(&[2, 2]) || (rolled[0] == 6 && rolled[2] == 1),
            drawn[0] == "food" && drawn[2] == "fuel",
        ];
        assert_eq!([dice.grants(seed), cards.grants(seed)], right, "seed {seed}");
        granted = [granted[0] + u32::from(right[0]), granted[1] + u32::from(right[1])];
    }
    assert!(granted.iter().all(|&granted| granted > 2), "{granted:?}");
}

/// Each event with its round.
type Told = [(u32, Event)];

/// Compares the verdicts on wishes with the events of whole games.
#[test]
fn wishes_for_events() {
    let text = colony::scenario("first-night").expect("it is built in");
    let setup = Setup::new(text, None, None).expect("it is sound");
    let bot = strategy("random").expect("there is such a bot").bot;
    let check = |want: &str, right: &dyn Fn(&Told) -> bool| {
        let mut search = search("first-night", 2, "random", want);
        let mut granted = 0;
        for seed in 0..300 {
            // The names of the players differ from those in the search, and nothing else does.
            let mut table = Table::new(&setup, seed, &[bot; 2]);
            let (mut events, mut round) = (Vec::new(), 0);
            while let Some((client, command)) = table.next_command() {
                table.play(client, command);
                for (_, event) in table.outbox().events() {
                    round += u32::from(matches!(event, Event::NextRound { .. }));
                    events.push((round, event.clone()));
                }
            }
            assert_eq!(search.grants(seed), right(&events), "{want}, seed {seed}");
            granted += u32::from(right(&events));
        }
        assert!((1..300).contains(&granted), "{want}: {granted} of 300");
    };
    let moved = |event: &Event| matches!(event, Event::Moved { .. });
    let bitten = |event: &Event| matches!(event, Event::Bitten { .. });
    let first = |events: &Told, is: &dyn Fn(&Event) -> bool| events.iter().position(|(_, event)| is(event));
    check("3 x Moved", &|events| events.iter().filter(|(_, event)| moved(event)).count() >= 3);
    check("Bitten in round 2", &|events| events.iter().any(|(round, event)| *round == 2 && bitten(event)));
    check("not Bitten", &|events| first(events, &bitten).is_none());
    check("Bitten before Moved", &|events| {
        first(events, &bitten).zip(first(events, &moved)).is_some_and(|(bite, moved)| bite < moved)
    });
    check("Bitten and not Bitten in round 2 or 9 x Moved", &|events| {
        let in_second = events.iter().any(|(round, event)| *round == 2 && bitten(event));
        (first(events, &bitten).is_some() && !in_second) || events.iter().filter(|(_, event)| moved(event)).count() >= 9
    });
    check("first DieRolled _ 6", &|events| {
        let die = |event: &Event| matches!(event, Event::DieRolled { .. });
        let at = first(events, &die).expect("dice are rolled");
        matches!(events[at].1, Event::DieRolled { value: 6, .. })
    });
}

#[test]
fn nothing_is_found() {
    let search = search("first-night", 1, "sensible", "dice 1 and dice 2");
    assert_eq!(seeds::find(&search, -5, 1000, 1, 2, &|_| {}), Found { seeds: Vec::new(), tried: 1000 });
}
