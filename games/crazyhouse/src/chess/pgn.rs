//! Games as chess programs exchange them.

use std::fmt::{self, Write as _};

use crazyhouse_rules::{Move, Position};

use super::{
    fen::{self, FenError},
    san::{self, SanError},
};

/// The most moves of a game that is read.
pub const MOST_MOVES: usize = 2_000;
/// The longest line that is written, in characters.
const WIDTH: usize = 80;
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// A game: facts about it, the first position, and the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pgn {
    /// The facts by their names, such as `White`. The start position is not among them.
    pub tags: Vec<(String, String)>,
    /// The first position.
    pub start: Position,
    /// The moves. All of them are legal.
    pub moves: Vec<Move>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` without a result.
    pub result: &'static str,
}

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: PgnProblem,
}

/// The problems of a text that should be a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum PgnProblem {
    /// The text has no game.
    Empty {},
    /// A tag is not like `[White "Ana"]`.
    Tag {},
    /// A comment or variation has no end.
    Unclosed { opened: char },
    /// A bracket closes nothing.
    Unopened { closed: char },
    /// The game is another kind of chess.
    Variant { found: String },
    /// The start position cannot be read.
    Fen(FenError),
    /// A move cannot be read, or is illegal.
    Move { number: usize, error: SanError },
    /// There are too many moves.
    TooLong { most: usize },
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl fmt::Display for PgnProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty {} => write!(f, "there is no game"),
            Self::Tag {} => write!(f, "a tag is like [White \"Ana\"]"),
            Self::Unclosed { opened } => write!(f, "this {opened} is never closed"),
            Self::Unopened { closed } => write!(f, "this {closed} closes nothing"),
            Self::Variant { found } => write!(f, "the game is {found:?}, not crazyhouse"),
            Self::Fen(error) => write!(f, "the start position is wrong: {error}"),
            Self::Move { number, error } => write!(f, "move {number}: {error}"),
            Self::TooLong { most } => write!(f, "a game has at most {most} moves"),
        }
    }
}

impl std::error::Error for PgnError {}

impl fmt::Display for Pgn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))?;
        }
        writeln!(f, "[Variant \"Crazyhouse\"]")?;
        writeln!(f, "[SetUp \"1\"]\n[FEN \"{}\"]\n", fen::write(&self.start, 1))?;
        let mut line = String::new();
        for word in self.words() {
            if line.len() + 1 + word.len() > WIDTH {
                writeln!(f, "{line}")?;
                line.clear();
            }
            let gap = if line.is_empty() { "" } else { " " };
            write!(line, "{gap}{word}")?;
        }
        writeln!(f, "{line}")
    }
}

impl Pgn {
    /// The moves as chess players write them.
    pub fn sans(&self) -> Vec<String> {
        let mut position = self.start;
        let san = |made: &Move| {
            let text = san::write(&position, *made);
            position = position.after(*made);
            text
        };
        self.moves.iter().map(san).collect()
    }

    /// The position after all moves.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, made| position.after(*made))
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Numbers and moves, and the result.
    fn words(&self) -> Vec<String> {
        let first = usize::from(self.start.turn() == crazyhouse_rules::Side::Black);
        let mut words = Vec::new();
        for (at, san) in self.sans().into_iter().enumerate() {
            let number = (at + first) / 2 + 1;
            match (at + first) % 2 {
                0 => words.push(format!("{number}.")),
                _ if at == 0 => words.push(format!("{number}...")),
                _ => {}
            }
            words.push(san);
        }
        words.push(self.result.into());
        words
    }

    /// Reads one game; further games of the text are ignored.
    ///
    /// # Errors
    /// If the text is not a game.
    pub fn read(text: &str) -> Result<Self, PgnError> {
        let game = Self::read_all(text)?.into_iter().next();
        game.ok_or(PgnError { line: 1, problem: PgnProblem::Empty {} })
    }

    /// Reads all games of a text. Comments, variations and marks are ignored.
    ///
    /// # Errors
    /// If the text is not a list of games. The error is the first one.
    pub fn read_all(text: &str) -> Result<Vec<Self>, PgnError> {
        Reader { rest: text, line: 1, game: Draft::default(), games: Vec::new() }.read()
    }
}

/// A game while it is read.
#[derive(Default)]
struct Draft {
    tags: Vec<(String, String)>,
    /// The start and the current position, once the first move or the end has come.
    positions: Option<(Position, Position)>,
    moves: Vec<Move>,
}

struct Reader<'t> {
    rest: &'t str,
    line: usize,
    game: Draft,
    games: Vec<Pgn>,
}

impl Reader<'_> {
    fn read(mut self) -> Result<Vec<Pgn>, PgnError> {
        let mut is_line_start = true;
        while let Some(first) = self.rest.chars().next() {
            let begins_line = std::mem::replace(&mut is_line_start, first == '\n');
            match first {
                '%' if begins_line => self.skip_line(),
                ';' => self.skip_line(),
                '[' => self.tag()?,
                '{' => self.skip_comment()?,
                '(' => self.skip_variation()?,
                ')' | '}' | ']' => return Err(self.error(PgnProblem::Unopened { closed: first })),
                _ if first.is_whitespace() => self.advance(first.len_utf8()),
                _ => self.word()?,
            }
        }
        if !self.game.tags.is_empty() || self.game.positions.is_some() {
            self.finish("*")?;
        }
        Ok(self.games)
    }

    fn error(&self, problem: PgnProblem) -> PgnError {
        PgnError { line: self.line, problem }
    }

    /// Passes so many bytes.
    fn advance(&mut self, bytes: usize) {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += passed.matches('\n').count();
        self.rest = rest;
    }

    fn skip_line(&mut self) {
        self.advance(self.rest.find('\n').unwrap_or(self.rest.len()));
    }

    fn skip_comment(&mut self) -> Result<(), PgnError> {
        let end = self.rest.find('}').ok_or_else(|| self.error(PgnProblem::Unclosed { opened: '{' }))?;
        self.advance(end + 1);
        Ok(())
    }

    fn skip_variation(&mut self) -> Result<(), PgnError> {
        let unclosed = self.error(PgnProblem::Unclosed { opened: '(' });
        let mut depth = 0_usize;
        while let Some(at) = self.rest.find(['(', ')', '{']) {
            match self.rest.as_bytes()[at] {
                b'{' => {
                    self.advance(at);
                    self.skip_comment()?;
                    continue;
                }
                b'(' => depth += 1,
                _ => depth -= 1,
            }
            self.advance(at + 1);
            if depth == 0 {
                return Ok(());
            }
        }
        Err(unclosed)
    }

    /// Reads `[Name "value"]`. It begins another game if this one has moves.
    fn tag(&mut self) -> Result<(), PgnError> {
        let wrong = self.error(PgnProblem::Tag {});
        if self.game.positions.is_some() {
            self.finish("*")?;
        }
        let line = self.rest.lines().next().unwrap_or_default();
        let parts = line[1..].trim_start().split_once(char::is_whitespace);
        let (name, value) = parts.ok_or_else(|| wrong.clone())?;
        let value = value.trim_start().strip_prefix('"').ok_or_else(|| wrong.clone())?;
        let (mut text, mut letters) = (String::new(), value.chars());
        loop {
            match letters.next() {
                Some('\\') => text.extend(letters.next()),
                Some('"') => break,
                Some(letter) => text.push(letter),
                None => return Err(wrong),
            }
        }
        let after = letters.as_str();
        if !after.trim_start().starts_with(']') {
            return Err(wrong);
        }
        let end = line.len() - after.trim_start().len() + 1;
        self.game.tags.push((name.into(), text));
        self.advance(end);
        Ok(())
    }

    /// Reads a number, a mark, a move or a result.
    fn word(&mut self) -> Result<(), PgnError> {
        let ends = |letter: char| letter.is_whitespace() || "(){}[];".contains(letter);
        let word = &self.rest[..self.rest.find(ends).unwrap_or(self.rest.len())];
        let length = word.len();
        if let Some(result) = RESULTS.into_iter().find(|result| *result == word) {
            self.finish(result)?;
        } else if !word.starts_with('$') {
            let number = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
            // `12.e4` and `12...`, but not `0-0`.
            let san = if number.is_empty() || number.starts_with('.') { number.trim_start_matches('.') } else { word };
            if !san.is_empty() {
                let san = san.to_owned();
                self.play(&san)?;
            }
        }
        self.advance(length);
        Ok(())
    }

    fn play(&mut self, san: &str) -> Result<(), PgnError> {
        if self.game.moves.len() >= MOST_MOVES {
            return Err(self.error(PgnProblem::TooLong { most: MOST_MOVES }));
        }
        let (start, position) = self.positions()?;
        let number = self.game.moves.len() / 2 + 1;
        let made = san::read(&position, san).map_err(|error| self.error(PgnProblem::Move { number, error }))?;
        self.game.moves.push(made);
        self.game.positions = Some((start, position.after(made)));
        Ok(())
    }

    /// The start and the current position.
    fn positions(&self) -> Result<(Position, Position), PgnError> {
        if let Some(positions) = self.game.positions {
            return Ok(positions);
        }
        let tag = |name: &str| self.game.tags.iter().find(|(known, _)| known == name).map(|(_, value)| &**value);
        if let Some(found) = tag("Variant").filter(|variant| !variant.eq_ignore_ascii_case("crazyhouse")) {
            return Err(self.error(PgnProblem::Variant { found: found.chars().take(40).collect() }));
        }
        let start = match tag("FEN") {
            Some(text) => fen::read(text).map_err(|error| self.error(PgnProblem::Fen(error)))?,
            None => Position::start(),
        };
        Ok((start, start))
    }

    fn finish(&mut self, result: &'static str) -> Result<(), PgnError> {
        let (start, _) = self.positions()?;
        let Draft { tags, moves, .. } = std::mem::take(&mut self.game);
        let is_fact = |(name, _): &(String, String)| !matches!(&**name, "FEN" | "SetUp" | "Variant");
        let tags = tags.into_iter().filter(is_fact).collect();
        self.games.push(Pgn { tags, start, moves, result });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[Event \"A \\\"small\\\" one\"]\n[White \"Ana\"]\n[Black \"Bo\"]\n[Result \"1-0\"]\n[Variant \"Crazyhouse\"]\n[SetUp \"1\"]\n\
         [FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 1\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e6 Qxg2 4. exf7+ 1-0\n";

    fn texts(game: &Pgn) -> String {
        game.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_game_is_written_as_it_was_read() {
        let game = Pgn::read(GAME).expect("a game");
        assert_eq!(texts(&game), "e2-e4 d7-d5 e4-d5 d8-d5 P-e6 d5-g2 e6-f7");
        assert_eq!((game.tag("White"), game.tag("Event"), game.result), (Some("Ana"), Some("A \"small\" one"), "1-0"));
        assert_eq!(game.to_string(), GAME);
    }

    #[test]
    fn everything_beside_the_moves_is_ignored() {
        let text = "% a line for a program\n[White \"Ana\"]\n\n1.e4 {a [comment] (here)} d5 $1 ; rest of the line\n\
                    2.exd5 (2.e5 {no} (2.d4) f5) 2...Qxd5!? *\n\n[White \"Cleo\"]\n1. d4";
        let games = Pgn::read_all(text).expect("games");
        assert_eq!(games.iter().map(texts).collect::<Vec<_>>(), ["e2-e4 d7-d5 e4-d5 d8-d5", "d2-d4"]);
        assert_eq!(games[1].tag("White"), Some("Cleo"));
        assert_eq!(Pgn::read_all(" \n"), Ok(vec![]));
    }

    #[test]
    fn black_can_begin() {
        let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3[Qq] b - - 0 1\"]\n\n1... Q@e7 2. Q@d8+ Qxd8 *";
        let game = Pgn::read(text).expect("a game");
        assert!(game.to_string().ends_with("\n\n1... Q@e7 2. Q@d8+ Qxd8 *\n"), "{game}");
        assert_eq!(game.end().to_string(), "3qk3/8/8/8/8/8/4P3/4K3/q w");
    }

    #[test]
    fn long_games_have_short_lines() {
        let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(40);
        let game = Pgn::read(&moves).expect("a game");
        assert_eq!(game.moves.len(), 160);
        let text = game.to_string();
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(Pgn::read(&text), Ok(game));
    }

    #[test]
    fn mistakes() {
        for (text, words) in [
            ("", "line 1: there is no game"),
            ("[White Ana]", "line 1: a tag is like [White \"Ana\"]"),
            ("[White \"Ana]\n1. e4", "line 1: a tag is like [White \"Ana\"]"),
            ("[", "line 1: a tag is like [White \"Ana\"]"),
            ("\n1. e4 {what", "line 2: this { is never closed"),
            ("1. e4 (1. d4", "line 1: this ( is never closed"),
            ("1. e4 )", "line 1: this ) closes nothing"),
            ("[Variant \"Atomic\"]\n1. e4", "line 2: the game is \"Atomic\", not crazyhouse"),
            ("[FEN \"8/8\"]\n\n1. e4", "line 3: the start position is wrong: a FEN has 2 to 6 fields, not 1"),
            ("1. e4 e5\n2. O-O", "line 2: move 2: there is no castling in these rules"),
            ("1. e4 0-0", "line 1: move 1: there is no castling in these rules"),
            ("1. e4 e4", "line 1: move 1: e4 is not a legal move"),
        ] {
            assert_eq!(Pgn::read(text).expect_err("not a game").to_string(), words, "{text}");
        }
        let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(MOST_MOVES / 4);
        assert_eq!(Pgn::read(&long).map(|game| game.moves.len()), Ok(MOST_MOVES));
        assert_eq!(
            Pgn::read(&format!("{long} e4")).expect_err("too long").problem,
            PgnProblem::TooLong { most: MOST_MOVES }
        );
    }
}
