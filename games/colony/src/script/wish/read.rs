//! Reads a wish from its text.
//!
//! ```text
//! wish  = all {"or" all}            all = one {"and" one}
//! one   = "not" one | "(" wish ")" | dice | cards | offered | what ["before" what | "causes" EVENT]
//! what  = ["first" | NUMBER "x"] EVENT ["in" "round" NUMBER]
//! ```

use colony_rules::Scenario;
use script::{
    Call, Client, EventReader, LineError as Fault, ScriptError as Problem, Token, TokenKind, scripted, suggest,
};

use super::{CardWish, Happening, Which, Wish, token::tokens};
use crate::script::{
    Colony,
    language::{CARD, CHARACTER, LOCATION, names},
};

/// Words that end the arguments of an event and the items of a list.
const ENDS: &[&str] = &["and", "or", "in", "before", "causes", ")"];

impl Wish {
    /// Reads a wish about games of a scenario with these players, in the order of their numbers.
    ///
    /// # Errors
    /// If the text is not a wish.
    pub fn read(text: &str, scenario: &Scenario, players: &[Client]) -> Result<Self, Problem> {
        let problem = |at: usize, width: usize, message: String, help: String| {
            let file = "the wish".to_owned();
            Problem { file, line: 1, column: at + 1, width, message, help, text: text.into() }
        };
        let tokens = tokens(text).map_err(|bad| problem(bad.at, bad.width, bad.message, String::new()))?;
        let end = Token { at: text.chars().count(), width: 1, kind: TokenKind::Word, raw: String::new() };
        let events = EventReader::new(scripted::<Colony>(), names(scenario), players);
        let mut reader = Reader { scenario, events: &events, tokens: &tokens, end };
        reader
            .wish()
            .and_then(|wish| match reader.tokens.first() {
                None => Ok(wish),
                Some(token) => Err(Fault::new(token, format!("{} is one too many", token.raw), JOINTS)),
            })
            .map_err(|fault| problem(fault.at, fault.width, fault.message, fault.help))
    }
}

const JOINTS: &str = "wishes are joined by `and`, `or`, `before`, `causes`";

type Read<T> = Result<T, Fault>;

struct Reader<'r> {
    scenario: &'r Scenario,
    events: &'r EventReader,
    /// The tokens that have not been read yet.
    tokens: &'r [Token],
    /// An empty token after the last one.
    end: Token,
}

impl<'r> Reader<'r> {
    fn wish(&mut self) -> Read<Wish> {
        let mut wishes = vec![self.all()?];
        while self.take("or") {
            wishes.push(self.all()?);
        }
        Ok(if wishes.len() == 1 { wishes.remove(0) } else { Wish::Any(wishes) })
    }

    fn all(&mut self) -> Read<Wish> {
        let mut wishes = vec![self.one()?];
        while self.take("and") {
            wishes.push(self.one()?);
        }
        Ok(if wishes.len() == 1 { wishes.remove(0) } else { Wish::All(wishes) })
    }

    fn one(&mut self) -> Read<Wish> {
        if self.take("not") {
            return Ok(Wish::Not(Box::new(self.one()?)));
        }
        if self.take("(") {
            let wish = self.wish()?;
            self.expect(")")?;
            return Ok(wish);
        }
        if self.take("dice") {
            return self.dice();
        }
        if self.take("cards") {
            return self.cards();
        }
        if self.take("offered") {
            return self.offered();
        }
        let first = self.peek().clone();
        let what = self.happening()?;
        if self.take("before") {
            return Ok(Wish::Before(what, self.happening()?));
        }
        if self.take("causes") {
            if matches!(what.which, Which::Times(times) if times > 1) {
                return Err(Fault::new(&first, "only one event causes another", "leave the number out"));
            }
            return Ok(Wish::Causes(what, self.event()?));
        }
        Ok(Wish::Happens(what))
    }

    fn happening(&mut self) -> Read<Happening> {
        let which = if self.take("first") {
            Which::First
        } else if self.peek().raw.starts_with(|c: char| c.is_ascii_digit()) {
            let times = self.number("how often")?;
            self.expect("x")?;
            Which::Times(times)
        } else {
            Which::Times(1)
        };
        let event = self.event()?;
        let round = if self.take("in") {
            self.expect("round")?;
            Some(self.number("the number of a round")?)
        } else {
            None
        };
        Ok(Happening { event, which, round })
    }

    /// Reads an event. Missing arguments match any value.
    fn event(&mut self) -> Read<Call> {
        let name = self.next("an event")?;
        let mut arguments: Vec<Token> = Vec::new();
        while self.goes_on() {
            arguments.push(self.next("an argument")?.clone());
        }
        self.events.read(name, &arguments)
    }

    fn dice(&mut self) -> Read<Wish> {
        let dice = self.list(|_, token| match token.raw.parse() {
            _ if token.raw == "_" => Ok(None),
            Ok(value @ 1..=6) => Ok(Some(value)),
            Ok(_) | Err(_) => Err(Fault::new(token, format!("{} is not on a die", token.raw), "1 to 6, or _")),
        })?;
        Ok(Wish::Dice(dice))
    }

    fn cards(&mut self) -> Read<Wish> {
        let place = self.next("a location")?;
        let location = self.id(Thing::Location, place)?;
        self.expect(":")?;
        let stack = self.scenario.locations.iter().find(|other| other.id.0 == location).map_or(0, |at| at.cards.len());
        let cards = self.list(|reader, token| reader.card(token))?;
        if cards.len() > stack {
            return Err(Fault::new(place, format!("{} has a stack of {stack} cards", place.raw), ""));
        }
        Ok(Wish::Cards { location, cards })
    }

    fn card(&self, token: &Token) -> Read<CardWish> {
        let word = token.raw.to_lowercase();
        if word == "_" {
            return Ok(CardWish::Any);
        }
        if self.scenario.cards.iter().any(|card| card.kind.key() == word) {
            return Ok(CardWish::Kind(word));
        }
        self.id(Thing::Card, token).map(CardWish::Card)
    }

    fn offered(&mut self) -> Read<Wish> {
        let name = self.next("a player")?;
        let player = self.events.players().iter().position(|client| client.name == name.raw).ok_or_else(|| {
            let known = self.events.players().iter().map(|client| client.name.as_str());
            Fault::new(name, format!("there is no player {}", name.raw), suggest(&name.raw, known))
        })?;
        let in_order = !self.take("in");
        if !in_order {
            self.expect("any")?;
            self.expect("order")?;
        }
        self.expect(":")?;
        let characters = self.list(|reader, token| match token.word() {
            Some("_") => Ok(None),
            Some(_) | None => reader.id(Thing::Character, token).map(Some),
        })?;
        if characters.len() > 4 {
            return Err(Fault::new(name, "a player is offered four characters, no more", ""));
        }
        Ok(Wish::Offered { player, characters, in_order })
    }

    /// Reads at least one item. Commas between items are optional.
    fn list<T>(&mut self, item: impl Fn(&Self, &Token) -> Read<T>) -> Read<Vec<T>> {
        let mut items = Vec::new();
        while items.is_empty() || self.goes_on() {
            let token = self.next("something to look for")?;
            items.push(item(self, token)?);
            self.take(",");
        }
        Ok(items)
    }

    fn id(&self, thing: Thing, token: &Token) -> Read<i32> {
        if let Ok(id) = token.raw.parse() {
            let known = match thing {
                Thing::Character => self.scenario.characters.iter().any(|other| other.id.0 == id),
                Thing::Location => self.scenario.locations.iter().any(|other| other.id.0 == id),
                Thing::Card => self.scenario.cards.iter().any(|other| other.id.0 == id),
            };
            let unknown = || Fault::new(token, format!("there is no {} {id} in the scenario", thing.noun()), "");
            return if known { Ok(id) } else { Err(unknown()) };
        }
        let word = if let TokenKind::Quoted(text) = &token.kind { text } else { &token.raw };
        self.events.names().number(thing.noun(), word).map_err(|no| Fault::new(token, no.message, no.help))
    }

    fn number(&mut self, what: &str) -> Read<u32> {
        let token = self.next(what)?;
        let number = token.raw.parse().ok().filter(|&number| number > 0);
        number.ok_or_else(|| Fault::new(token, format!("{} is not {what}", token.raw), "a number from 1 on"))
    }

    /// Whether the next token is another argument or item.
    fn goes_on(&self) -> bool {
        self.tokens.first().is_some_and(|token| !token.word().is_some_and(|word| ENDS.contains(&word)))
    }

    fn peek(&self) -> &Token {
        self.tokens.first().unwrap_or(&self.end)
    }

    fn take(&mut self, word: &str) -> bool {
        let there = self.tokens.first().is_some_and(|token| token.word() == Some(word));
        if there {
            self.tokens = &self.tokens[1..];
        }
        there
    }

    fn expect(&mut self, word: &str) -> Read<()> {
        if self.take(word) {
            return Ok(());
        }
        Err(Fault::new(self.peek(), format!("here stands `{word}`"), ""))
    }

    fn next(&mut self, what: &str) -> Read<&'r Token> {
        let Some((first, rest)) = self.tokens.split_first() else {
            return Err(Fault::new(&self.end, format!("here stands {what}"), ""));
        };
        self.tokens = rest;
        Ok(first)
    }
}

/// The things that a wish can name besides events.
#[derive(Clone, Copy)]
enum Thing {
    Character,
    Location,
    Card,
}

impl Thing {
    fn noun(self) -> &'static str {
        match self {
            Self::Character => CHARACTER,
            Self::Location => LOCATION,
            Self::Card => CARD,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The `Debug` form of the wish on one line, or the problem with its caret.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let scenario = resources_scenario();
        let players: Vec<Client> =
            [(1, "Ana"), (2, "Bo")].map(|(number, name)| Client { number, name: name.into() }).into();
        let came = match Wish::read(text, &scenario, &players) {
            Ok(wish) => format!("{wish:?}").replace("String(\"$ANY\")", "_"),
            Err(problem) => format!("\n{problem}\n"),
        };
        assert_eq!(came, expected);
    }

    fn resources_scenario() -> Scenario {
        let text = include_str!("../../../scenarios/first-night.json");
        colony_rules::scenario::read(text).expect("what is built in is sound")
    }

    #[test]
    fn wishes() {
        let bitten = |who: &str| format!("Call {{ name: \"Bitten\", arguments: [{who}] }}");
        let once = |who: &str| format!("Happening {{ event: {}, which: Times(1), round: None }}", bitten(who));
        check("Bitten", &format!("Happens({})", once("_")));
        check("Bitten _", &format!("Happens({})", once("_")));
        check("Bitten Maren", &format!("Happens({})", once("Number(1)")));
        check("Bitten \"Maren Holt, keeper\"", &format!("Happens({})", once("Number(1)")));
        check("Bitten Maren before Bitten 2", &format!("Before({}, {})", once("Number(1)"), once("Number(2)")));
        check(
            "3 x Bitten in round 2",
            &format!("Happens(Happening {{ event: {}, which: Times(3), round: Some(2) }})", bitten("_")),
        );
        check(
            "first Moved causes Bitten",
            &format!(
                "Causes(Happening {{ event: Call {{ name: \"Moved\", arguments: [_, _, _] }}, which: First, round: None }}, {})",
                bitten("_")
            ),
        );
        check("dice 6 _ 1", "Dice([Some(6), None, Some(1)])");
        check(
            "cards Fish: Food, _, 200 food200",
            "Cards { location: 20, cards: [Kind(\"food\"), Any, Card(200), Card(200)] }",
        );
        check("offered Bo: Tove, 1, _", "Offered { player: 1, characters: [Some(2), Some(1), None], in_order: true }");
        check("offered Ana in any order: Tove", "Offered { player: 0, characters: [Some(2)], in_order: false }");
        check(
            "dice 1 or dice 2 and not (dice 3 or dice 4)",
            "Any([Dice([Some(1)]), All([Dice([Some(2)]), Not(Any([Dice([Some(3)]), Dice([Some(4)])]))])])",
        );
    }

    #[test]
    fn problems() {
        let check = |text: &str, message: &str, at: usize, caret: &str| {
            let margin = " ".repeat(at);
            let column = at + 1;
            check(text, &format!("\n{message}\n --> the wish:1:{column}\n1 | {text}\n  | {margin}{caret}\n"));
        };
        check("Biten Maren", "there is no event Biten", 0, "^^^^^ did you mean Bitten?");
        check("Bitten Marne", "there is no character Marne in the scenario", 7, "^^^^^ did you mean Maren?");
        check("dice 6 7", "7 is not on a die", 7, "^ 1 to 6, or _");
        check("dice", "here stands something to look for", 4, "^");
        check("(dice 6", "here stands `)`", 7, "^");
        check("dice 6) or dice 1", ") is one too many", 6, &format!("^ {JOINTS}"));
        check("3 Bitten", "here stands `x`", 2, "^^^^^^");
        check("0 x Bitten", "0 is not how often", 0, "^ a number from 1 on");
        check("2 x Moved causes Bitten", "only one event causes another", 0, "^ leave the number out");
        check("offered Cy: Tove", "there is no player Cy", 8, "^^ there are Ana, Bo");
        check("cards Fish: 1000", "there is no card 1000 in the scenario", 12, "^^^^");
        check("Bitten and", "here stands an event", 10, "^");
        check("Bitten # why", "a wish has no comments", 7, "^");
        check("Bitten \"Maren", "this begins like JSON and does not end like it", 7, "^^^^^^");
        check("Bitten 1 2", "Bitten has a wrong number of arguments", 0, "^^^^^^ it is written Bitten [character]");
    }
}
