//! Crazyhouse on a host.

use std::{borrow::Cow, time::Duration};

use commlib::{Create, Raw};
use crazyhouse_rules::{Command, Event, Game, Pace, Position, SCENARIOS, Setup, Side};
use engine::{CommId, Rulebook};
use script::scripted;
use serde_json::{Value, json};
use server::{
    Adapter, AdapterError, Answering, CommandSender, WebFile, check_player_name, log::LogReader, read_command,
};

use crate::{analysis, chess::fen, record};

/// The longest move text. Longer texts do not reach the rules.
const LONGEST_MOVE: usize = 64;
/// The longest reason to resign, in bytes. The rules have a shorter limit.
const LONGEST_REASON: usize = 1000;

/// How long an opponent must be away before the win can be claimed.
const AWAY: Duration = Duration::from_secs(60);

/// The web pages: a lobby, a board to play on, a board for any position, and the drawings of the viewer.
const WEB: &[WebFile] = server::web_files!(
    "analysis.css",
    "analysis.html",
    "analysis.js",
    "arrows.js",
    "asking.js",
    "away.js",
    "board.css",
    "board.html",
    "board.js",
    "drag.js",
    "draw.css",
    "draw.js",
    "index.html",
    "judged.js",
    "lobby.js",
    "match.js",
    "names.js",
    "notation.js",
    "pages.css",
    "pieces.svg",
    "play-table.js",
    "play.html",
    "play.js",
    "position.js",
    "poster.svg",
    "rematch.js",
    "steps.js",
    "typed.js",
    "words.js",
);

/// Crazyhouse on a host.
#[derive(Clone, Copy, Debug)]
pub struct Crazyhouse;

impl Adapter for Crazyhouse {
    type Rules = Game;

    fn setup(create: &Create) -> Result<Setup, AdapterError> {
        if let Some(edition) = create.edition.as_ref().filter(|edition| *edition != "standard") {
            return Err(format!("There is no edition {edition:?}; there is one, standard.").into());
        }
        Ok(Setup::new(&create.scenario, create.timeout)?)
    }

    fn command(raw: &Raw<'_>) -> Result<Command, AdapterError> {
        let command = read_command(raw)?;
        match &command {
            Command::Join { name, .. } => check_player_name(name)?,
            // Texts that cannot be valid are not logged.
            Command::Move { text } if text.len() > LONGEST_MOVE => {
                return Err(format!("a move has at most {LONGEST_MOVE} bytes, like b3-c4 or P-e6").into());
            }
            Command::Resign { because: Some(because) } if because.len() > LONGEST_REASON => {
                return Err(format!("a reason has at most {LONGEST_REASON} bytes").into());
            }
            Command::Move { .. }
            | Command::OfferDraw {}
            | Command::AcceptDraw {}
            | Command::DeclineDraw {}
            | Command::Resign { .. }
            | Command::Abort {}
            | Command::AskTakeback {}
            | Command::AllowTakeback {}
            | Command::RefuseTakeback {}
            | Command::Claim {} => {}
        }
        Ok(command)
    }

    /// A win can be claimed only while the opponent has been away for a minute. The rules do not know who is away.
    fn admits(game: &Game, command: &Command, sender: &CommandSender<'_>) -> Result<(), AdapterError> {
        if !matches!(command, Command::Claim {}) || !sender.is_player {
            return Ok(());
        }
        // Without an opponent, the rules have their own words.
        let Some(opponent) = game.opponent_of(sender.client) else { return Ok(()) };
        match sender.presence.away(opponent) {
            Some(away) if away >= AWAY => Ok(()),
            Some(away) => {
                Err(format!("Your opponent left {} s ago; wait for {} s.", away.as_secs(), AWAY.as_secs()).into())
            }
            None => Err("Your opponent is here.".into()),
        }
    }

    fn words<'a>(_: &'a Setup, event: &'a Event) -> Option<Cow<'a, str>> {
        match event {
            Event::Refused { refusal } => Some(refusal.to_string().into()),
            Event::Finished { outcome, .. } => Some(outcome.to_string().into()),
            Event::Seated { .. }
            | Event::Joined { .. }
            | Event::Began { .. }
            | Event::Moved { .. }
            | Event::DrawOffered { .. }
            | Event::DrawDeclined { .. }
            | Event::TakebackAsked { .. }
            | Event::TakebackRefused { .. }
            | Event::TakenBack { .. } => None,
        }
    }

    fn scenario(setup: &Setup) -> Option<&str> {
        Some(&setup.text)
    }

    fn title(scenario: Option<&str>) -> String {
        let known = SCENARIOS.iter().find(|(_, text)| Some(*text) == scenario);
        let own_clock = || scenario.and_then(|text| Setup::new(text, None).ok()).and_then(|setup| setup.clock);
        match (known, own_clock()) {
            (Some((name, _)), _) => (*name).into(),
            (None, Some(Pace { initial, increment })) => format!("{}+{}", minutes(initial), increment / 1000),
            (None, None) => "custom".into(),
        }
    }

    fn about_scenario(name: &str) -> &'static str {
        match name {
            "blitz" => "Three minutes each, and two seconds more for every move.",
            "rapid" => "Ten minutes each, and five seconds more for every move.",
            _ => "",
        }
    }

    fn about() -> &'static str {
        "Chess in which what you take joins you: drop it anywhere. 2 players."
    }

    fn scenarios() -> Vec<&'static str> {
        SCENARIOS.iter().map(|(name, _)| *name).collect()
    }

    fn web() -> &'static [WebFile] {
        WEB
    }

    fn script(header: &[u8], entries: &mut dyn Iterator<Item = &[u8]>) -> Option<Result<String, AdapterError>> {
        let recorded = scripted::<Self>().record(header, entries);
        Some(recorded.map(|game| game.print(1, game.scenario())).map_err(Into::into))
    }

    fn bots(setup: &Setup) -> Vec<(CommId, &str)> {
        Side::BOTH.iter().filter_map(|side| setup.bot(*side)).map(|(client, name)| (client, &**name)).collect()
    }

    fn rematch(game: &Game, client: CommId) -> Option<Create> {
        game.side_of(client)?;
        let setup = game.public().setup();
        Some(Create {
            rulebook: Some(Game::NAME.into()),
            scenario: setup.with_sides_changed(),
            edition: None,
            seed: None,
            timeout: Some(setup.timeout_ms),
        })
    }

    fn query_rules(question: &str, about: &str) -> Option<Result<Value, AdapterError>> {
        match question {
            "position" => Some(position(about)),
            "moves" => Some(record::answer_moves(about).map_err(|refused| refused.message.into())),
            _ => None,
        }
    }

    fn query_log<'a>(log: &'a dyn LogReader, question: &'a str, about: &'a str) -> Option<Answering<'a>> {
        match question {
            "analysis" => Some(Box::pin(analysis::answer(log, about))),
            "pgn" => Some(Box::pin(record::answer_pgn(log, about))),
            _ => None,
        }
    }
}

/// Milliseconds as minutes: `3`, `0.5`.
fn minutes(ms: u64) -> String {
    let minutes = ms as f64 / 60_000.0;
    format!("{}", (minutes * 100.0).round() / 100.0)
}

/// Describes a position for a page. The text may be FEN (also behind `fen=`), and may lack the side to move.
fn position(text: &str) -> Result<Value, AdapterError> {
    let text = text.strip_prefix("fen=").unwrap_or(text).trim();
    let side = text.contains(' ');
    let position: Position = match side {
        _ if fen::is_fen(text) => fen::read(text)?,
        true => text.parse()?,
        false => Position::read_board(text, Side::White)?,
    };
    let moves = position.moves_text();
    let check = Side::BOTH.iter().find(|side| position.in_check(**side));
    Ok(json!({
        "board": position.board(),
        "fen": side.then(|| fen::write(&position, 1)),
        "next": side.then(|| position.turn()),
        "check": check,
        "mate": side && position.is_mate(),
        "moves": if side { moves.split_whitespace().collect() } else { Vec::new() },
    }))
}
