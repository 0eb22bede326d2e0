//! Turns, and the penalties for mistakes.

use engine::CommId;
use treasure_rules::{Command, Direction, Placement, Player, Position, Refusal, Turn};

use crate::table::{ANA, BO, GOOD, GOOD_2017, Table, half, register, seeds, send};

fn other(client: u32) -> u32 {
    ANA + BO - client
}

fn name(client: u32) -> &'static str {
    if client == ANA { "Ana" } else { "Bo" }
}

fn wins(client: u32, how: &str) -> String {
    let [winner, loser] = [client, other(client)].map(|client| if client == ANA { "first" } else { "second" });
    format!("over: the {winner} player wins: the {loser} player {how}")
}

#[test]
fn strictly_alternating() {
    let mut table = Table::begun("2022", 3);
    let starter = table.turn();
    let (one, two) = (name(starter), name(other(starter)));
    assert_eq!(table.does(starter, send(half(&GOOD))), format!("{one} half 1; kept; {one} charted"));
    assert_eq!(table.turn(), other(starter));
    assert_eq!(table.does(other(starter), send(half(&GOOD))), format!("{two} half 2; kept; {two} charted"));
    let right = Command::Move { direction: Direction::Right };
    assert_eq!(table.does(starter, right.clone()), format!("{one} 3; 1 left"));
    assert_eq!(table.does(other(starter), right.clone()), format!("{two} 4; 1 left"));
    let words = "failed NotYourTurn: It is the opponent's turn; act when it is yours.";
    let out_of_turn = table.does(other(starter), right);
    assert_eq!(out_of_turn, format!("{words}; {}", wins(starter, "acted out of turn")));
}

#[test]
fn out_of_turn() {
    let mut table = Table::begun("2022", 3);
    let starter = table.turn();
    let words = "failed NotYourTurn: It is the opponent's turn; act when it is yours.";
    let out_of_turn = table.does(other(starter), send(half(&GOOD)));
    assert_eq!(out_of_turn, format!("{words}; {}", wins(starter, "acted out of turn")));

    let mut alone = Table::new("2022", 3);
    alone.does(ANA, register("Ana"));
    assert_eq!(
        alone.does(ANA, send(half(&GOOD))),
        "failed NotYourTurn: The game begins when the second player registers; act when it is your turn.; \
         over: nobody wins: acted out of turn"
    );
}

#[test]
fn second_halves() {
    let mut table = Table::charted("2022", 3);
    let client = table.turn();
    let words = "failed SecondHalf: You have sent your half before; each player sends 1.";
    let lost = wins(other(client), "sent a second half");
    assert_eq!(table.does(client, send(half(&GOOD))), format!("{words}; {lost}"));
    let mut table = Table::begun("2017", 3);
    table.does(BO, send(half(&GOOD_2017)));
    let lost = wins(ANA, "sent a second half");
    assert_eq!(table.does(BO, send(half(&GOOD_2017))), format!("{words}; {lost}"));
}

#[test]
fn moves_before_both_halves() {
    let mut table = Table::begun("2022", 3);
    let starter = table.turn();
    let words = "failed MoveBeforeHalves: 0 of 2 halves are there; moves are allowed when both are.";
    let lost = wins(other(starter), "moved before both halves were there");
    assert_eq!(table.does(starter, Command::Move { direction: Direction::Up }), format!("{words}; {lost}"));
    let mut table = Table::begun("2022", 3);
    table.does(starter, send(half(&GOOD)));
    let words = "failed MoveBeforeHalves: 1 of 2 halves are there; moves are allowed when both are.";
    let lost = wins(starter, "moved before both halves were there");
    assert_eq!(table.does(other(starter), Command::Move { direction: Direction::Up }), format!("{words}; {lost}"));
    let mut table = Table::begun("2017", 3);
    table.does(ANA, send(half(&GOOD_2017)));
    let update = Command::Update { x: 0, y: 0, wanted_x: 0, wanted_y: 0, turns: 0 };
    let lost = wins(BO, "moved before both halves were there");
    assert_eq!(table.does(ANA, update), format!("{words}; {lost}"));
}

#[test]
fn bad_halves() {
    let mut rows = GOOD;
    rows[0] = "GGGGGGGGGG";
    rows[4] = "MGGGGGGGGG";
    let mut table = Table::begun("2022", 3);
    let starter = table.turn();
    assert_eq!(
        table.does(starter, send(half(&rows))),
        format!(
            "{} bad half 1; failed TooFewMountainFields: The half has 4 mountain fields at (7, 3), (8, 3), (9, 3), \
             (0, 4); it needs at least 5. The half has 0 forts; it needs exactly 1.; {}",
            name(starter),
            wins(other(starter), "sent a half that breaks the rules")
        )
    );
    let mut table = Table::begun("2017", 3);
    let lost = table.does(ANA, send(half(&GOOD)));
    assert!(lost.starts_with("Ana bad half; failed WrongNumberOfFields"), "{lost}");
    assert!(table.view(ANA).has_lost() && table.view(BO).has_won());
}

/// The first player cannot know when the second one registers, and the protocol has no request for it.
#[test]
fn halves_of_2017_in_any_order() {
    let mut table = Table::new("2017", 3);
    table.does(ANA, register("Ana"));
    assert_eq!(table.does(ANA, send(half(&GOOD_2017))), "Ana half; kept");
    assert!(table.game.public().chart().is_none(), "it is still secret");
    assert_eq!(table.does(BO, register("Bo")), "you are the second player; Bo registers; Ana begins");
    assert_eq!(table.game.turn(), None);
    assert_eq!(table.does(BO, send(half(&GOOD_2017))), "Bo half; kept; Ana charted; Bo charted; both appear");
    assert_eq!(table.turn(), ANA);
    assert_eq!(table.game.public().actions(), 0, "halves are no actions");

    let mut table = Table::begun("2017", 3);
    assert_eq!(table.does(BO, send(half(&GOOD_2017))), "Bo half; kept");
    assert_eq!(table.does(ANA, send(half(&GOOD_2017))), "Ana half; kept; Bo charted; Ana charted; both appear");
}

#[test]
fn commands_of_the_other_year() {
    let mut table = Table::charted("2022", 3);
    let client = table.turn();
    let update = Command::Update { x: 0, y: 0, wanted_x: 0, wanted_y: 0, turns: 0 };
    let wrong = "refused WrongYear: The protocol of 2022 has no such command.";
    assert_eq!(table.does(client, update.clone()), wrong);
    let mut table = Table::charted("2017", 3);
    let wrong = "refused WrongYear: The protocol of 2017 has no such command.";
    assert_eq!(table.does(ANA, Command::Move { direction: Direction::Up }), wrong);
    let early = "refused NotYourTurn: It is the opponent's turn; act when it is yours.";
    assert_eq!(table.does(BO, update), early, "a gateway holds such requests; it is no loss");
    assert_eq!(table.turn(), ANA);
}

/// Halves are joined in every possible way, and forts and treasures are on the right halves.
#[test]
fn placements() {
    for (scenario, rows, ways) in [("2022", &GOOD[..], 4), ("2017", &GOOD_2017[..], 2)] {
        let mut seen = [0; 4];
        for seed in seeds().take(200) {
            let table = Table::charted(scenario, seed);
            let (board, profile) = (table.game.public(), table.game.public().profile());
            let chart = board.chart().expect("both halves are there");
            let forts =
                Player::BOTH.map(|player| table.game.private(player).and_then(|private| private.fort).expect("a fort"));
            let fits = |placement: &Placement| {
                placement.size(profile) == (chart.width(), chart.height())
                    && placement.place(profile, Position::new(0, 0)) == forts[0]
                    && placement.other().place(profile, Position::new(0, 0)) == forts[1]
            };
            let placement = Placement::ALL.into_iter().find(fits).expect("one of the four");
            seen[placement as usize] += 1;
            for (player, place) in [(Player::First, placement), (Player::Second, placement.other())] {
                let treasure = table.game.treasure(player).expect("hidden with the half");
                let own = half(rows).into_iter().find(|field| place.place(profile, field.at) == treasure);
                let own = own.expect("on the own half");
                assert!(own.terrain == treasure_rules::Terrain::Grass && !own.fort, "{own:?}");
            }
        }
        assert!(seen[..ways].iter().all(|count| *count > 150 / ways), "{seen:?}");
        assert_eq!(seen.iter().sum::<usize>(), seen[..ways].iter().sum::<usize>(), "{seen:?}");
    }
}

/// The queries of a gateway before it submits a command.
#[test]
fn what_may_be_asked_when() {
    let turns = |table: &Table| [ANA, BO].map(|client| table.game.turn_of(CommId(client)));
    let mut table = Table::new("2017", 3);
    assert_eq!((table.game.vacancy(), turns(&table)), (Ok(Player::First), [Turn::NoMap; 2]));
    table.does(ANA, register("Ana"));
    assert_eq!(table.game.vacancy(), Ok(Player::Second));
    table.does(BO, register("Bo"));
    assert_eq!(table.game.vacancy(), Err(Refusal::GameFull {}));
    assert_eq!(table.does(BO, send(half(&GOOD_2017))), "Bo half; kept");
    assert_eq!([ANA, BO].map(|client| table.game.has_half_of(CommId(client))), [false, true]);
    assert_eq!(turns(&table), [Turn::NoMap; 2], "one half is no map");
    table.does(ANA, send(half(&GOOD_2017)));
    assert_eq!(turns(&table), [Turn::Own, Turn::Others]);

    let at = table.game.private(Player::First).and_then(|private| private.at).expect("a place");
    let (x, y) = (i32::from(at.x), i32::from(at.y));
    let update = |wanted_x: i32, turns: i32| Command::Update { x, y, wanted_x, wanted_y: y, turns };
    let right = update(x + 1, 2);
    assert!(!table.game.repeats(CommId(ANA), &right), "nothing was taken yet");
    assert_eq!(table.does(ANA, right.clone()), "Ana 1; 2 left");
    for (client, command, repeats) in
        [(ANA, &right, true), (BO, &right, false), (ANA, &update(x + 1, 1), false), (ANA, &update(x, 0), false)]
    {
        assert_eq!(table.game.repeats(CommId(client), command), repeats, "{client} {command:?}");
    }
    table.does(BO, Command::SendHalf { fields: Vec::new(), coding: None });
    assert_eq!((table.game.vacancy(), turns(&table)), (Err(Refusal::GameOver {}), [Turn::Over; 2]));
}
