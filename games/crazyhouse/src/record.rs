//! Stored games as lists of moves: for the analysis, and as PGN.

use commlib::{Reason, Refused};
use crazyhouse_rules::{Board, Event, Game, Move, Outcome, Reason as End, Setup, Side};
use engine::{Entry, EntryOf, Header, Replay, Rulebook};
use serde_json::{Value, json};
use server::log::LogReader;

use crate::chess::{fen, pgn::Pgn, san};

/// The most bytes of a question about moves.
const LONGEST_QUESTION: usize = 16 * 1024;

/// A stored game, without the moves that were taken back.
pub(crate) struct Record {
    name: String,
    created_ms: i64,
    board: Board,
    /// The entry that began the game, and those of the moves.
    pub(crate) made: Vec<Made>,
}

/// The log entry that led to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    /// The number of the entry.
    pub(crate) entry: u64,
    /// In a game with a clock, the milliseconds that the mover had left.
    pub(crate) left_ms: Option<u64>,
}

impl Record {
    /// Reads a game from the log.
    pub(crate) async fn load(log: &dyn LogReader, name: &str) -> Result<Self, Refused> {
        let unknown = || Refused::new(Reason::UnknownGame, format!("There is no game {name:?} of crazyhouse."));
        let head = log.find(name).await.map_err(|error| Refused::from(&error))?.ok_or_else(unknown)?;
        if head.record.about.rulebook != Game::NAME {
            return Err(unknown());
        }
        let damaged = || Refused::new(Reason::Damaged, "The log of this game cannot be read.");
        let header: Header<Setup> = Header::decode(&head.header).map_err(|_| damaged())?;
        let mut replay = Replay::<Game>::new(&header).map_err(|_| damaged())?;
        let mut made = Vec::new();
        for row in log.rows(head.record.key, 1).await.map_err(|error| Refused::from(&error))? {
            let entry: EntryOf<Game> = Entry::decode(&row.bytes).map_err(|_| damaged())?;
            replay.step(&entry).map_err(|_| damaged())?;
            for (_, event) in replay.outbox().events() {
                note(&mut made, row.sequence, event);
            }
        }
        let board = replay.game().public().clone();
        Ok(Self { name: name.into(), created_ms: header.created, board, made })
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.board.outcome()
    }

    pub(crate) fn moves(&self) -> Vec<Move> {
        self.board.contest().history().iter().map(|played| played.played).collect()
    }

    pub(crate) fn pgn(&self) -> Pgn {
        let setup = self.board.setup();
        let result = self.outcome().map_or("*", result);
        let player = |side| self.board.player(side).map_or("?", |name| &**name);
        let clock = setup.clock.map(|clock| format!("{}+{}", clock.initial / 1000, clock.increment / 1000));
        let end = self.outcome().map_or_else(|| "unterminated".into(), |outcome| outcome.to_string());
        let tags = [
            ("Event", "Holdfast game"),
            ("Site", &self.name),
            ("Date", &date(self.created_ms)),
            ("Round", "-"),
            ("White", player(Side::White)),
            ("Black", player(Side::Black)),
            ("Result", result),
            ("TimeControl", clock.as_deref().unwrap_or("-")),
            ("Termination", &end),
        ];
        let tags = tags.map(|(name, value)| (name.to_owned(), value.replace(char::is_control, " "))).into();
        Pgn { tags, start: setup.start, moves: self.moves(), result }
    }
}

fn note(made: &mut Vec<Made>, entry: u64, event: &Event) {
    match event {
        Event::Began { .. } => made.push(Made { entry, left_ms: None }),
        Event::Moved { left, .. } => made.push(Made { entry, left_ms: *left }),
        Event::TakenBack { moves, .. } => made.truncate(made.len().saturating_sub((*moves).into())),
        Event::Seated { .. }
        | Event::Refused { .. }
        | Event::Joined { .. }
        | Event::DrawOffered { .. }
        | Event::DrawDeclined { .. }
        | Event::TakebackAsked { .. }
        | Event::TakebackRefused { .. }
        | Event::Finished { .. } => {}
    }
}

fn result(outcome: Outcome) -> &'static str {
    match (outcome.winner, outcome.reason) {
        (Some(Side::White), _) => "1-0",
        (Some(Side::Black), _) => "0-1",
        (None, End::Aborted | End::NobodyCame) => "*",
        (None, End::Checkmate | End::Resignation | End::Time | End::Agreement | End::MoveLimit | End::Left) => {
            "1/2-1/2"
        }
    }
}

/// The day of a moment in milliseconds since 1970, as `2026.11.18`.
fn date(ms: i64) -> String {
    // From the days of a calendar whose years begin in March, in eras of 400 years.
    let days = ms.div_euclid(86_400_000) + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    format!("{:04}.{month:02}.{day:02}", year + era * 400 + i64::from(month <= 2))
}

/// Answers `pgn?GAME`: the game as PGN. Running games have no secrets here.
pub(crate) async fn answer_pgn(log: &dyn LogReader, game: &str) -> Result<Value, Refused> {
    let record = Record::load(log, game).await?;
    Ok(json!({"game": game, "pgn": record.pgn().to_string()}))
}

/// Answers `moves?GAME_AS_PGN`: the moves in both notations, and each position as a board and as FEN. The text can also be only moves
/// in the notation of these rules.
pub(crate) fn answer_moves(text: &str) -> Result<Value, Refused> {
    if text.len() > LONGEST_QUESTION {
        let words = format!("A game has at most {LONGEST_QUESTION} bytes here.");
        return Err(Refused::new(Reason::TooLarge, words));
    }
    let game = Pgn::read(text).map_err(|error| Refused::new(Reason::BadMessage, format!("{error}.")))?;
    Ok(describe(&game))
}

/// A game for a page.
pub(crate) fn describe(game: &Pgn) -> Value {
    let mut position = game.start;
    let first = usize::from(position.turn() == Side::Black);
    let mut positions = vec![json!({"position": position.to_string(), "fen": fen::write(&position, 1)})];
    for (at, made) in game.moves.iter().enumerate() {
        let side = position.turn();
        let text = san::write(&position, *made);
        position = position.after(*made);
        positions.push(json!({
            "position": position.to_string(),
            "fen": fen::write(&position, (at + 1 + first) / 2 + 1),
            "move": made.to_string(),
            "san": text,
            "side": side,
            "check": position.in_check(position.turn()),
        }));
    }
    let players = ["White", "Black"].map(|name| game.tag(name).filter(|name| *name != "?"));
    json!({"players": players, "result": game.result, "positions": positions})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        let day = 86_400_000;
        for (ms, text) in [
            (0, "1970.01.01"),
            (-1, "1969.12.31"),
            (59 * day, "1970.03.01"),
            (11_016 * day, "2000.02.29"),
            (20_775 * day - 1, "2026.11.17"),
            (20_775 * day, "2026.11.18"),
        ] {
            assert_eq!(date(ms), text);
        }
    }

    #[test]
    fn moves_of_a_text() {
        let answer = answer_moves("e2-e4 Nf6 1/2-1/2").expect("moves");
        assert_eq!(answer["result"], "1/2-1/2");
        assert_eq!(answer["positions"][2]["san"], "Nf6");
        assert_eq!(answer["positions"][2]["move"], "g8-f6");
        assert_eq!(answer["positions"][1]["fen"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR[] b - - 0 1");
        assert_eq!(answer_moves("e5").expect_err("not a move").message, "line 1: move 1: e5 is not a legal move.");
        let long = " ".repeat(LONGEST_QUESTION + 1);
        assert_eq!(answer_moves(&long).expect_err("too long").reason, Reason::TooLarge);
    }
}
