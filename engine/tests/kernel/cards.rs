//! A card game with hidden hands, whose offers have all forms. The setup can enable one fault in them.
//!
//! Two players get three of nine cards each. In turn, a player plays a card, or asks for a card that the opponent may have, or
//! bets some of its coins. A player without cards ends the game.

#![expect(clippy::wildcard_enum_match_arm, reason = "a game of the tests: most events change little")]

use std::fmt;

use engine::{
    Answer, Argument, Cause, CommId, Imagined, Input, JavaRandom, Offer, Offers, OffersOf, Outbox, Projection,
    Rulebook, Waiting, messages,
};
use serde::{Deserialize, Serialize};

/// A fault in the offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Fault {
    Nothing,
    /// Asking for a card is possible, although it depends on the opponent's hand.
    Sure,
    /// The imagined game has another hand.
    OtherHand,
    /// A bet may be too high.
    WideRange,
    /// A command is impossible for another reason than the rules have.
    WrongReason,
    /// A refusal has no words.
    NoWords,
    /// The sample may be a card that was played.
    OldSample,
    /// There are offers after the end.
    AfterTheEnd,
    /// An argument is not a field of the command.
    UnknownField,
}

messages! {
    pub(crate) enum Command {
        /// Takes a seat.
        Join { name: String },
        /// Plays a card of one's own.
        Play { card: u8 },
        /// Asks for a card of the opponent.
        Ask { card: u8 },
        /// Bets coins.
        Bet { coins: u32 },
        /// Writes a note.
        Note { words: Vec<String> },
        /// Gives up.
        GiveUp {},
    }
}

messages! {
    pub(crate) enum Event {
        /// A player has taken a seat.
        Joined { player: usize, name: String },
        /// The client's own place and hand.
        Dealt { player: usize, hand: Vec<u8> },
        /// A card was played.
        Played { player: usize, card: u8 },
        /// A card was taken from the opponent.
        Taken { player: usize, card: u8 },
        /// Coins were bet.
        Bet { player: usize, coins: u32 },
        /// A note was written.
        Noted { words: Vec<String> },
        /// The game is over.
        Done { winner: usize },
        /// The opponent does not have this card.
        NotThere { card: u8 },
        /// This card is not in the hand.
        NotYours { card: u8 },
        /// It is the turn of the other player, or the game has not begun.
        NotNow {},
        /// There are not so many coins.
        TooMuch { most: u32 },
        /// All seats are taken.
        Full {},
    }
}

const CARDS: u8 = 9;
const HAND: usize = 3;
const COINS: u32 = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cards {
    board: Board,
    clients: Vec<CommId>,
    hands: Vec<Vec<u8>>,
    deck: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    fault: Fault,
    names: Vec<String>,
    coins: [u32; 2],
    played: Vec<u8>,
    /// The number of cards in each hand.
    counts: [usize; 2],
    turn: usize,
    winner: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    board: Board,
    player: Option<usize>,
    hand: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Won(usize);

impl fmt::Display for Won {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {} won", self.0)
    }
}

impl Cards {
    fn command(&mut self, client: CommId, command: &Command, outbox: &mut Outbox<Event, ()>) -> Result<(), Event> {
        if let Command::Join { name } = command {
            return self.join(client, name, outbox);
        }
        let player = self.clients.iter().position(|own| *own == client);
        let player = player.filter(|_| self.clients.len() == 2).ok_or(Event::NotNow {})?;
        let other = 1 - player;
        let event = match command {
            Command::GiveUp {} => Event::Done { winner: other },
            Command::Note { words } => Event::Noted { words: words.clone() },
            _ if player != self.board.turn => return Err(Event::NotNow {}),
            Command::Play { card } => {
                self.hands[player].iter().position(|own| own == card).ok_or(Event::NotYours { card: *card })?;
                Event::Played { player, card: *card }
            }
            Command::Ask { card } => {
                self.hands[other].iter().position(|own| own == card).ok_or(Event::NotThere { card: *card })?;
                Event::Taken { player, card: *card }
            }
            Command::Bet { coins } if *coins > self.board.coins[player] => {
                return Err(Event::TooMuch { most: self.board.coins[player] });
            }
            Command::Bet { coins } => Event::Bet { player, coins: *coins },
            Command::Join { .. } => return Ok(()),
        };

        match event {
            Event::Played { card, .. } => self.hands[player].retain(|own| *own != card),
            Event::Taken { card, .. } => {
                self.hands[other].retain(|own| *own != card);
                self.hands[player].push(card);
            }
            _ => {}
        }
        self.all(event, outbox);
        if let Some(winner) = self.hands.iter().position(Vec::is_empty).filter(|_| self.board.winner.is_none()) {
            self.all(Event::Done { winner }, outbox);
        }
        Ok(())
    }

    fn join(&mut self, client: CommId, name: &str, outbox: &mut Outbox<Event, ()>) -> Result<(), Event> {
        if self.clients.len() == 2 || self.clients.contains(&client) {
            return Err(Event::Full {});
        }
        let player = self.clients.len();
        let hand = self.deck.split_off(self.deck.len() - HAND);
        self.clients.push(client);
        self.hands.push(hand.clone());
        outbox.seat(client);
        self.all(Event::Joined { player, name: name.into() }, outbox);
        outbox.only(client, Event::Dealt { player, hand });
        Ok(())
    }

    fn all(&mut self, event: Event, outbox: &mut Outbox<Event, ()>) {
        self.board.apply(&event);
        outbox.board(event);
    }
}

impl Rulebook for Cards {
    const NAME: &'static str = "cards";
    const RULES_VERSION: u32 = 1;

    type Setup = Fault;
    type Command = Command;
    type Event = Event;
    type Timer = ();
    type Outcome = Won;
    type Board = Board;
    type View = View;

    fn edition(_: &Fault) -> &'static str {
        "only"
    }

    fn start(fault: &Fault, seed: i64, _: &mut Outbox<Event, ()>) -> Self {
        let mut deck: Vec<u8> = (0..CARDS).collect();
        JavaRandom::new(seed).shuffle(&mut deck);
        Self { board: Projection::<Self>::new(fault), clients: Vec::new(), hands: Vec::new(), deck }
    }

    fn fold(&mut self, input: &Input<Command, ()>, outbox: &mut Outbox<Event, ()>) {
        if let Cause::Command { client, command } = &input.cause
            && self.board.winner.is_none()
            && let Err(refusal) = self.command(*client, command, outbox)
        {
            outbox.only(*client, refusal);
        }
    }

    fn waiting_for(&self) -> Waiting {
        match self.clients.get(self.board.turn) {
            _ if self.board.winner.is_some() => Waiting::GameOver,
            Some(client) if self.clients.len() == 2 => Waiting::One(*client),
            Some(_) | None => Waiting::Anyone,
        }
    }

    fn outcome(&self) -> Option<Won> {
        self.board.winner.map(Won)
    }

    fn board(&self) -> Board {
        self.board.clone()
    }

    fn view(&self, client: CommId) -> View {
        let player = self.clients.iter().position(|own| *own == client);
        View {
            board: self.board.clone(),
            player,
            hand: player.map_or_else(Vec::new, |player| self.hands[player].clone()),
        }
    }

    fn is_refusal(event: &Event) -> bool {
        use Event::{Full, NotNow, NotThere, NotYours, TooMuch};
        matches!(event, NotThere { .. } | NotYours { .. } | NotNow {} | TooMuch { .. } | Full {})
    }

    fn tell_refusal(view: &View, refusal: &Event) -> String {
        if view.board.fault == Fault::NoWords { String::new() } else { format!("{refusal:?}") }
    }

    /// Deals the unknown cards at random.
    fn imagine(view: &View, random: &mut JavaRandom) -> Option<Imagined<Self>> {
        let board = view.board.clone();
        let is_hidden = |card: &u8| !view.hand.contains(card) && !board.played.contains(card);
        let mut deck: Vec<u8> = (0..CARDS).filter(is_hidden).collect();
        random.shuffle(&mut deck);
        let clients: Vec<CommId> = (0..board.names.len() as u32).map(CommId).collect();
        let mut hands = Vec::new();
        for player in 0..clients.len() {
            let own = Some(player) == view.player && board.fault != Fault::OtherHand;
            let count = deck.len() - board.counts[player].min(deck.len());
            hands.push(if own { view.hand.clone() } else { deck.split_off(count) });
        }
        let client = CommId(view.player.unwrap_or(2) as u32);
        Some(Imagined { game: Self { board, clients, hands, deck }, client })
    }

    fn candidates(view: &View) -> OffersOf<Self> {
        let View { board, player, hand } = view;
        if board.winner.is_some() && board.fault != Fault::AfterTheEnd {
            return Offers::none("The game is over.");
        }
        let Some(player) = *player else {
            let name = Argument::name("name", "Your name", 8);
            return Offers::new("Join?", [Offer::fill_in("Join", Command::Join { name: "Ana".into() }, [name])]);
        };
        let give_up = Offer::send("Give up", Command::GiveUp {}).aside();
        let words = if board.fault == Fault::UnknownField { "word" } else { "words" };
        let words = Argument::free(words, "Your note", "a list of words");
        let note = Offer::fill_in("Write", Command::Note { words: vec!["hm".into()] }, [words]);
        let old = board.played.iter().filter(|_| board.fault == Fault::OldSample);
        let play =
            hand.iter().chain(old).map(|card| Offer::send(format!("card {card}"), Command::Play { card: *card }));
        let play = Offer::choose("Play a card", Offers::new("Which card?", play));
        let unknown = (0..CARDS).filter(|card| !hand.contains(card) && !board.played.contains(card));
        let is_turn = board.turn == player && board.names.len() == 2;
        let answer = match board.fault {
            Fault::Sure => Answer::Possible,
            _ if is_turn => Answer::Uncertain,
            _ => Answer::Untried,
        };
        let asks = unknown.map(|card| Offer::send(format!("card {card}"), Command::Ask { card }).answered(&answer));
        let ask = Offer::choose("Ask for a card", Offers::new("Which card?", asks));
        let most = i64::from(board.coins[player] + u32::from(board.fault == Fault::WideRange));
        let bet = Offer::fill_in("Bet", Command::Bet { coins: 0 }, [Argument::range("coins", "Coins", 0, most)]);
        let old = Offer::send("An old card", Command::Play { card: CARDS });
        let old = match board.fault {
            Fault::WrongReason => {
                let words = "The seats are taken.".into();
                old.answered(&Answer::Impossible { refusal: Event::Full {}, words })
            }
            Fault::OldSample => old.answered(&Answer::Possible),
            _ => old,
        };
        Offers::new("What now?", [play, ask, bet, note, old, give_up])
    }

    fn fill_free(_: &View, command: &Command, random: &mut JavaRandom) -> Command {
        match command {
            Command::Note { .. } => Command::Note { words: vec!["ha".repeat(random.next_below(4) as usize)] },
            other => other.clone(),
        }
    }
}

impl Projection<Cards> for Board {
    fn new(fault: &Fault) -> Self {
        Self {
            fault: *fault,
            names: Vec::new(),
            coins: [COINS; 2],
            played: Vec::new(),
            counts: [HAND; 2],
            turn: 0,
            winner: None,
        }
    }

    fn apply(&mut self, event: &Event) {
        match event {
            Event::Joined { name, .. } => self.names.push(name.clone()),
            Event::Played { player, card } => {
                self.played.push(*card);
                self.counts[*player] -= 1;
                self.turn = 1 - player;
            }
            Event::Taken { player, .. } => {
                self.counts[*player] += 1;
                self.counts[1 - player] -= 1;
                self.turn = 1 - player;
            }
            Event::Bet { player, coins } => {
                self.coins[*player] -= coins;
                self.turn = 1 - player;
            }
            Event::Done { winner } => self.winner = Some(*winner),
            _ => {}
        }
    }
}

impl Projection<Cards> for View {
    fn new(fault: &Fault) -> Self {
        Self { board: Projection::<Cards>::new(fault), player: None, hand: Vec::new() }
    }

    fn apply(&mut self, event: &Event) {
        self.board.apply(event);
        match event {
            Event::Dealt { player, hand } => (self.player, self.hand) = (Some(*player), hand.clone()),
            Event::Played { player, card } if Some(*player) == self.player => self.hand.retain(|own| own != card),
            Event::Taken { player, card } if Some(*player) == self.player => self.hand.push(*card),
            Event::Taken { card, .. } => self.hand.retain(|own| own != card),
            _ => {}
        }
    }
}
