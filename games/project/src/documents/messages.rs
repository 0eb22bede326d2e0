//! Messages with their envelopes.

use xml::{Element, Problem, Writer};

use super::{
    Guid, VERSION,
    action::Action,
    begin, check_version,
    exchange::Exchange,
    game_state::GameState,
    strict::{Parts, choice, guid_attribute, int_attribute},
};

/// More are not in one document.
pub const MOST_MESSAGES: usize = 100;

const SENDER_HASH: &str = "senderHash";
const CONTEXT: &str = "contextId";

/// A document `Messages`.
#[derive(Clone, Debug, PartialEq)]
pub struct Messages {
    pub sender_hash: Option<Guid>,
    /// At least one, and at most [`MOST_MESSAGES`].
    pub messages: Vec<Message>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub id: Guid,
    /// The id of what this is an answer to.
    pub context: Option<Guid>,
    pub sender: i32,
    pub receiver: i32,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Exchange(Exchange),
    Action(Action),
    GameState(GameState),
}

impl Messages {
    /// A document with one message.
    pub fn one(message: Message) -> Self {
        Self { sender_hash: None, messages: vec![message] }
    }

    pub(super) fn of(root: &Element<'_>) -> Result<Self, Problem> {
        check_version(root)?;
        let sender_hash = guid_attribute(root, SENDER_HASH)?;
        let mut parts = Parts::of(root, &[VERSION, SENDER_HASH])?;
        let messages = parts.repeated("Message", MOST_MESSAGES)?.iter().map(Message::of).collect::<Result<_, _>>()?;
        parts.end()?;
        Ok(Self { sender_hash, messages })
    }

    pub fn write(&self) -> String {
        let mut writer = begin("Messages", 512 + 512 * self.messages.len());
        if let Some(hash) = self.sender_hash {
            writer.attribute(SENDER_HASH, hash);
        }
        self.messages.iter().for_each(|message| message.write(&mut writer));
        writer.close("Messages");
        writer.finish()
    }
}

impl Message {
    fn of(element: &Element<'_>) -> Result<Self, Problem> {
        let mut parts = Parts::of(element, &["id", CONTEXT])?;
        let missing = || element.problem("attribute id is missing in <Message>");
        let message = Self {
            id: guid_attribute(element, "id")?.ok_or_else(missing)?,
            context: guid_attribute(element, CONTEXT)?,
            sender: participant(parts.required("Sender")?)?,
            receiver: participant(parts.required("Receiver")?)?,
            content: Content::of(parts.required("Content")?)?,
        };
        parts.end()?;
        Ok(message)
    }

    fn write(&self, writer: &mut Writer) {
        writer.open("Message").attribute("id", self.id);
        if let Some(context) = self.context {
            writer.attribute(CONTEXT, context);
        }
        writer.open("Sender").attribute("id", self.sender).close("Sender");
        writer.open("Receiver").attribute("id", self.receiver).close("Receiver");
        writer.open("Content");
        match &self.content {
            Content::Exchange(exchange) => exchange.write(writer),
            Content::Action(action) => action.write(writer),
            Content::GameState(state) => state.write(writer),
        }
        writer.close("Content").close("Message");
    }
}

impl Content {
    fn of(element: &Element<'_>) -> Result<Self, Problem> {
        let kind = choice(element, &[], &["ExchangeKnowledge", "Action", "GameState"])?;
        match kind.name {
            "ExchangeKnowledge" => Ok(Self::Exchange(Exchange::of(kind)?)),
            "Action" => Ok(Self::Action(Action::of(kind)?)),
            _ => Ok(Self::GameState(GameState::of(kind)?)),
        }
    }
}

fn participant(element: &Element<'_>) -> Result<i32, Problem> {
    Parts::of(element, &["id"])?.end()?;
    int_attribute(element, "id")
}
