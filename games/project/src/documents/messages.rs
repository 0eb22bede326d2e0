//! Messages and their envelopes.

use xml::{Element, Problem, Writer};

use super::{
    Guid, VERSION,
    action::Action,
    begin, check_version,
    exchange::Exchange,
    game_state::GameState,
    strict::{Parts, choice, guid_attribute, int_attribute},
};

/// The largest number of messages in a document.
pub const MAX_MESSAGES: usize = 100;

const SENDER_HASH: &str = "senderHash";
const CONTEXT: &str = "contextId";

/// A document `Messages`.
#[derive(Clone, Debug, PartialEq)]
pub struct Messages {
    /// The hash of the sender, if the document has it.
    pub sender_hash: Option<Guid>,
    /// The messages: at least one, and at most [`MAX_MESSAGES`].
    pub messages: Vec<Message>,
}

/// A message of a player or the Game Master.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The id of the message.
    pub id: Guid,
    /// The id of the message that this one answers.
    pub context: Option<Guid>,
    /// The id of the sender; 0 is the Game Master.
    pub sender: i32,
    /// The id of the receiver.
    pub receiver: i32,
    /// The content.
    pub content: Content,
}

/// The content of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A step of an exchange between players.
    Exchange(Exchange),
    /// An action, or the answer to one.
    Action(Action),
    /// The beginning or the end of the game.
    GameState(GameState),
}

impl Messages {
    /// A document with one message.
    pub fn one(message: Message) -> Self {
        Self { sender_hash: None, messages: vec![message] }
    }

    pub(super) fn from_element(root: &Element<'_>) -> Result<Self, Problem> {
        check_version(root)?;
        let sender_hash = guid_attribute(root, SENDER_HASH)?;
        let mut parts = Parts::new(root, &[VERSION, SENDER_HASH])?;
        let messages =
            parts.repeated("Message", MAX_MESSAGES)?.iter().map(Message::from_element).collect::<Result<_, _>>()?;
        parts.end()?;
        Ok(Self { sender_hash, messages })
    }

    /// The document as text, without its end byte.
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
    fn from_element(element: &Element<'_>) -> Result<Self, Problem> {
        let mut parts = Parts::new(element, &["id", CONTEXT])?;
        let missing = || element.problem("attribute id is missing in <Message>");
        let message = Self {
            id: guid_attribute(element, "id")?.ok_or_else(missing)?,
            context: guid_attribute(element, CONTEXT)?,
            sender: participant(parts.required("Sender")?)?,
            receiver: participant(parts.required("Receiver")?)?,
            content: Content::from_element(parts.required("Content")?)?,
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
    fn from_element(element: &Element<'_>) -> Result<Self, Problem> {
        let kind = choice(element, &[], &["ExchangeKnowledge", "Action", "GameState"])?;
        match kind.name {
            "ExchangeKnowledge" => Ok(Self::Exchange(Exchange::from_element(kind)?)),
            "Action" => Ok(Self::Action(Action::from_element(kind)?)),
            _ => Ok(Self::GameState(GameState::from_element(kind)?)),
        }
    }
}

fn participant(element: &Element<'_>) -> Result<i32, Problem> {
    Parts::new(element, &["id"])?.end()?;
    int_attribute(element, "id")
}
