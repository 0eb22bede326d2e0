//! A client of any game, without its types: it asks the host what it can do, and sends commands as JSON.

use std::collections::VecDeque;

use commlib::{
    AccessChange, ClientConnection, ClientError, Form, Hello, Notice, Offered, PROTOCOL, Reason, ServerAddress, Token,
    Want,
};
use engine::{Answer, ArgumentForm, JavaRandom, Missing, Offers, Template, fill_json};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    pick,
    resuming::{Heard, Link, ResumingClient},
};

/// Offers as a client without types reads them.
pub type JsonOffers = Offers<Value, ()>;

/// The game around the offers: what the client may know of it, without its types.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct JsonTable {
    /// The client's player, once it has one.
    pub you: Option<String>,
    /// The players, in the order of their seats.
    pub players: Vec<String>,
    /// Before the game begins, how many players it needs and can take.
    pub missing: Option<Missing>,
    /// The board as the client may know it.
    pub picture: Value,
}

/// A client of one game that always knows what it can do.
#[derive(Debug)]
pub struct OfferClient {
    client: ResumingClient<Value, Value>,
    rulebook: String,
    /// The number of the last request for offers.
    request: u64,
    /// Whether a request has no answer yet.
    waits: bool,
    /// What came while an invitation was made.
    early: VecDeque<Heard<Value>>,
}

/// News of the game.
#[derive(Clone, Debug)]
pub enum OfferNews {
    /// Something happened: the event as JSON, and its words if the server sends them.
    Event(Value, Option<String>),
    /// What the client can do now, after all events so far.
    Offers(JsonOffers, JsonTable),
    /// The server refused a command or a request, with its words.
    Refused(String),
    /// Presence or chat, for a client that [asked](OfferClient::ask_notices).
    Notice(Notice),
    /// The game is over, and its last event was received.
    Over,
}

impl OfferClient {
    /// Takes a place in a game, new or known, and asks for the first offers.
    ///
    /// # Errors
    /// If the server cannot be reached, or refuses.
    pub async fn open(
        address: impl Into<ServerAddress>,
        game: Option<String>,
        want: Want,
    ) -> Result<Self, ClientError> {
        let (client, welcome) = ResumingClient::open_in(Form::Json, address, game, want).await?;
        let mut client = Self { client, rulebook: welcome.rulebook, request: 0, waits: false, early: VecDeque::new() };
        client.ask().await?;
        Ok(client)
    }

    /// The name of the game.
    pub fn game(&self) -> &str {
        self.client.game()
    }

    /// The address of the server.
    pub fn address(&self) -> &ServerAddress {
        self.client.address()
    }

    /// The number of the client in its game; `None` for a spectator.
    pub fn client(&self) -> Option<u32> {
        self.client.client()
    }

    /// The rulebook of the game.
    pub fn rulebook(&self) -> &str {
        &self.rulebook
    }

    /// The secret that resumes the client's place.
    pub fn token(&self) -> Option<Token> {
        self.client.token()
    }

    /// Calls this function when the connection is lost, and when the client is back.
    pub fn watch_link(&mut self, watcher: fn(Link)) {
        self.client.watch_link(watcher);
    }

    /// Sends a command, and asks for the offers after it.
    ///
    /// # Errors
    /// If the command cannot be encoded.
    pub async fn send(&mut self, command: &Value) -> Result<(), ClientError> {
        self.client.send(command).await?;
        self.ask().await
    }

    /// Asks for notices: presence and chat.
    ///
    /// # Errors
    /// If the message cannot be encoded.
    pub async fn ask_notices(&mut self) -> Result<(), ClientError> {
        self.client.ask_notices().await
    }

    /// Writes a line of chat.
    ///
    /// # Errors
    /// If the line cannot be encoded.
    pub async fn chat(&mut self, text: &str) -> Result<(), ClientError> {
        self.client.chat(text).await
    }

    /// Makes an invitation to the game, as its creator, and returns its code. What comes meanwhile is news later.
    ///
    /// # Errors
    /// If the server refuses, or the connection is lost.
    pub async fn invite(&mut self) -> Result<String, ClientError> {
        self.client.manage(AccessChange::Invite { name: None, account: None }).await?;
        loop {
            match self.client.next().await? {
                Heard::Managed(access) => {
                    let unexpected = ClientError::Unexpected { instead_of: "an invitation" };
                    return access.invitation.ok_or(unexpected);
                }
                Heard::Refused(refused) => return Err(ClientError::Refused(refused)),
                Heard::Over => return Err(ClientError::Closed),
                heard @ (Heard::Event { .. } | Heard::CaughtUp | Heard::Offers(_) | Heard::Notice(_)) => {
                    self.early.push_back(heard);
                }
            }
        }
    }

    /// Receives the next news. After each change, the offers are asked for and come as news of their own.
    ///
    /// # Errors
    /// If the connection is lost and cannot be resumed, or the server sends something unexpected.
    pub async fn next(&mut self) -> Result<OfferNews, ClientError> {
        loop {
            let heard = match self.early.pop_front() {
                Some(heard) => heard,
                None => self.client.next().await?,
            };
            match heard {
                Heard::Event { event, text } => {
                    if !self.waits {
                        self.ask().await?;
                    }
                    return Ok(OfferNews::Event(event, text));
                }
                Heard::CaughtUp => self.ask().await?,
                Heard::Offers(offered) => {
                    if let Some((offers, table)) = self.take(&offered).await? {
                        return Ok(OfferNews::Offers(offers, table));
                    }
                }
                Heard::Refused(refused) if refused.reason == Reason::GameOver => {}
                Heard::Refused(refused) => return Ok(OfferNews::Refused(refused.message)),
                Heard::Notice(notice) => return Ok(OfferNews::Notice(notice)),
                // Only invitations are asked for, and they are waited for.
                Heard::Managed(_) => {}
                Heard::Over => return Ok(OfferNews::Over),
            }
        }
    }

    async fn ask(&mut self) -> Result<(), ClientError> {
        self.request += 1;
        self.waits = true;
        self.client.ask_offers(self.request).await
    }

    /// The offers of an answer, if they are the ones that were asked for last and no event came since.
    async fn take(&mut self, offered: &Offered) -> Result<Option<(JsonOffers, JsonTable)>, ClientError> {
        if offered.number != self.request {
            return Ok(None);
        }
        self.waits = false;
        if offered.after != self.client.seen() {
            self.ask().await?;
            return Ok(None);
        }
        let unexpected = |_| ClientError::Unexpected { instead_of: "offers" };
        let offers = serde_json::from_str(&offered.offers).map_err(unexpected)?;
        // A long answer has no table.
        let around: Around = serde_json::from_str(&offered.offers).map_err(unexpected)?;
        Ok(Some((offers, around.table)))
    }
}

#[derive(Deserialize)]
struct Around {
    #[serde(default)]
    table: JsonTable,
}

/// The text of a game's scenario, which a server tells to spectators.
///
/// # Errors
/// If the server cannot be reached, or refuses.
pub async fn scenario_of(address: impl Into<ServerAddress>, game: &str) -> Result<String, ClientError> {
    let mut connection = ClientConnection::<(), ()>::connect(address, Form::Binary).await?;
    let (want, game) = (Want::Watch { seen: 0 }, Some(game.into()));
    let welcome = connection.hello(Hello { protocol: PROTOCOL, want, game, board: false }).await?;
    Ok(welcome.scenario.unwrap_or_default())
}

/// The command that begins a game before all seats are taken, once so many players have one; `None` if there is no such command,
/// or the rules refuse it.
pub fn begin_command(offers: &JsonOffers, table: &JsonTable, players: usize) -> Option<Value> {
    let enough = table.missing.as_ref().is_some_and(|missing| missing.least == 0);
    if !enough || table.you.is_none() || table.players.len() < players {
        return None;
    }
    let mut leaves = offers.leaves().filter(|leaf| leaf.template.answer == Answer::Possible);
    match (leaves.next(), leaves.next()) {
        (Some(only), None) if only.aside && only.template.arguments.is_empty() => Some(only.template.command.clone()),
        (_, _) => None,
    }
}

/// A random command that may be possible, with random arguments and this name; `None` if there is nothing to do but what stands
/// beside the play.
pub fn random_command(offers: &JsonOffers, name: &str, random: &mut JavaRandom) -> Option<Value> {
    let is_possible = |answer: &Answer<()>| match answer {
        Answer::Possible | Answer::Uncertain | Answer::Untried => true,
        Answer::Impossible { .. } => false,
    };
    let leaves = offers.leaves().filter(|leaf| !leaf.aside && is_possible(&leaf.template.answer));
    let templates: Vec<&Template<Value, ()>> = leaves.map(|leaf| leaf.template).collect();
    let template = pick(&templates, random)?;
    let mut command = template.command.clone();
    for argument in &template.arguments {
        let is_name = matches!(argument.form, ArgumentForm::Text { name: true, .. });
        let value = if is_name { Some(Value::from(name)) } else { argument.draw(random) };
        // Without a value, the command keeps its example.
        let filled = value.map(|value| fill_json(command.clone(), std::slice::from_ref(argument), &[value]));
        command = filled.and_then(Result::ok).unwrap_or(command);
    }
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_commands_are_possible_and_filled_in() {
        let offers: JsonOffers = serde_json::from_str(
            r#"{"title": "", "offers": [
                {"label": "a", "command": {"A": {}}, "impossible": "no"},
                {"label": "b", "title": "?", "offers": [{"label": "c", "command": {"B": {"n": 1, "name": "x"}}, "arguments": [
                    {"field": "n", "label": "n", "range": {"least": 3, "most": 4}},
                    {"field": "name", "label": "name", "text": {"least": 1, "most": 9, "name": true}}]}]},
                {"label": "d", "aside": true, "command": {"D": {}}}]}"#,
        )
        .expect("offers");
        let mut random = JavaRandom::new(1);
        let mut drawn: Vec<String> = (0..50)
            .filter_map(|_| random_command(&offers, "Bo", &mut random))
            .map(|command| command.to_string())
            .collect();
        assert_eq!(drawn.len(), 50);
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn, [r#"{"B":{"n":3,"name":"Bo"}}"#, r#"{"B":{"n":4,"name":"Bo"}}"#]);
        assert_eq!(random_command(&Offers::none(""), "Bo", &mut random), None);
    }

    #[test]
    fn a_game_begins_with_the_expected_players() {
        let check = |offers: &str, missing: &str, expected: Option<&str>| {
            let table = format!(r#"{{"you": "Ana", "players": ["Ana", "Bo", "Cy"], "missing": {missing}, "more": 1}}"#);
            let offers: JsonOffers = serde_json::from_str(offers).expect("offers");
            let table: JsonTable = serde_json::from_str(&table).expect("a table");
            let came = begin_command(&offers, &table, 3).map(|command| command.to_string());
            assert_eq!(came.as_deref(), expected, "{table:?}");
            assert_eq!(begin_command(&offers, &table, 4), None, "a player is missing");
            assert_eq!(begin_command(&offers, &JsonTable { you: None, ..table }, 3), None, "without a seat");
        };
        let begin = r#"{"title": "", "offers": [{"label": "Begin", "aside": true, "command": {"Start": {}}}]}"#;
        check(begin, r#"{"least": 0, "most": 2}"#, Some(r#"{"Start":{}}"#));
        check(begin, r#"{"least": 1, "most": 2}"#, None);
        check(begin, "null", None);
        let refused = begin.replace(r#""aside""#, r#""impossible": "no", "aside""#);
        check(&refused, r#"{"least": 0, "most": 2}"#, None);
        let play = begin.replace(r#""aside": true, "#, "");
        check(&play, r#"{"least": 0, "most": 2}"#, None);
    }
}
