//! The reasons why a command is refused, with the text for each.

use alloc::vec::Vec;
use core::fmt;

use engine::{Message, messages};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{
    command::Command,
    dice::Dice,
    edition::Edition,
    ids::{CardId, CharacterId, Entrance, LocationId, PlayerId},
    scenario::CrisisKind,
};

messages! {
    /// Why a command was refused, with the facts that a player needs to send a better one.
    #[derive(Copy)]
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Refusal {
        /// The client has registered already.
        AlreadyRegistered { player: PlayerId },
        /// Only a registered client can start the game.
        NotRegistered {},
        /// Registration is over.
        AlreadyStarted {},
        /// The player is no longer in the game.
        HasLeft { player: PlayerId },
        /// Characters are being chosen.
        StillChoosing { player: PlayerId },
        /// The characters have been chosen.
        NothingToChoose {},
        /// Two different characters are needed.
        SameCharacterTwice { character: CharacterId },
        /// The character is not one of the four.
        NotOffered { character: CharacterId, offered: Few },
        /// It is another player's turn.
        NotYourTurn { turn: PlayerId },
        /// The sender is asked for a vote and nothing else.
        VoteFirst {},
        /// Another player is asked for a vote.
        VotingNow { asked: PlayerId },
        /// No vote is being held.
        NoVoteNow {},
        /// The edition does not have this command, or not for this card.
        NotInEdition { edition: Edition },
        /// The number of arguments is wrong.
        WrongArguments { command: u8, given: u8 },
        /// The character is not a living character of the sender.
        NotYourCharacter { character: CharacterId, yours: Few },
        /// No location has this identifier.
        NoSuchLocation { location: LocationId, known: Few },
        /// The character is there already.
        AlreadyThere { location: LocationId },
        /// All places for survivors are taken.
        LocationFull { location: LocationId, places: u32 },
        /// A character moves once per round.
        AlreadyMoved { character: CharacterId },
        /// There is no FUEL card in the hand.
        NoFuel {},
        /// The location has no such entrance.
        NoSuchEntrance { entrance: Entrance, entrances: u16 },
        /// There is nothing to kill at this entrance.
        NoZombieThere { entrance: Entrance },
        /// All three places of the entrance are taken.
        NoFreePlace { entrance: Entrance },
        /// No die is high enough.
        NoDieFor { needed: u8, left: Dice },
        /// No die is left at all.
        NoDieLeft {},
        /// The colony cannot be searched.
        NothingToSearch {},
        /// The stack of the location is used up.
        StackEmpty { location: LocationId },
        /// Waste is disposed of in the colony.
        NotInColony { character: CharacterId },
        /// There is no waste.
        NoWaste {},
        /// The player has used its plain waste disposal, or the character its own.
        DisposedAlready { character: CharacterId },
        /// The card is not in the hand.
        NotInHand { card: CardId, hand: Few },
        /// The crisis asks for something else.
        NotWanted { card: CardId, wanted: CrisisKind },
        /// The card is played with a character and a target.
        CardNeedsTarget { card: CardId },
        /// The card is played alone.
        CardTakesNoTarget { card: CardId },
        /// No living character with this identifier stands in the same place.
        TargetNotHere { target: i32, here: Few },
        /// The character has no injury.
        NotInjured { target: CharacterId },
        /// The ability works by itself.
        AbilityIsPassive { character: CharacterId },
        /// The ability is used on a target.
        AbilityNeedsTarget { character: CharacterId },
        /// The ability is used alone.
        AbilityTakesNoTarget { character: CharacterId },
        /// The ability was used as often as a round allows.
        AbilityUsedUp { character: CharacterId, times: u32 },
        /// The ability works at another location only.
        AbilityElsewhere { character: CharacterId, location: LocationId },
        /// The ability works only while there are children in the colony.
        NoChildren { character: CharacterId },
    }
}

impl fmt::Display for Refusal {
    #[expect(clippy::too_many_lines, reason = "a table: one arm for each refusal")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlreadyRegistered { player } => {
                write!(f, "You are registered already, as player {player}; send StartGame or wait for the others.")
            }
            Self::NotRegistered {} => write!(f, "Only a registered client can start the game; send Register first."),
            Self::AlreadyStarted {} => {
                write!(f, "The game has already started; it is too late to register or to start it.")
            }
            Self::HasLeft { player } => write!(f, "Player {player} is out of the game and can do nothing more."),
            Self::StillChoosing { player } => {
                write!(
                    f,
                    "Player {player} is to choose characters with SelectCharacters; until then nothing else counts."
                )
            }
            Self::NothingToChoose {} => {
                write!(f, "The characters are chosen; SelectCharacters answers Characters only.")
            }
            Self::SameCharacterTwice { character } => {
                write!(f, "Character {character} is named twice; choose two different ones.")
            }
            Self::NotOffered { character, offered } => {
                write!(f, "Character {character} was not offered; choose two of {offered}.")
            }
            Self::NotYourTurn { turn } => write!(f, "It is the turn of player {turn}; wait for ActNow."),
            Self::VoteFirst {} => write!(f, "Your vote is awaited; send Vote with true or false."),
            Self::VotingNow { asked } => write!(f, "A vote is held, and player {asked} is asked; wait for its result."),
            Self::NoVoteNow {} => write!(f, "No vote is being held; Vote answers VoteNow only."),
            Self::NotInEdition { edition } => match edition {
                Edition::Group => {
                    write!(
                        f,
                        "The group edition has no votes and plays no equipment; FUEL is played by Move with true."
                    )
                }
                Edition::Equipment => {
                    write!(f, "The equipment edition has no votes; FUEL is played by UseCard, not by Move.")
                }
                Edition::Fate => write!(f, "In the fate edition FUEL is played by UseCard, not by Move."),
            },
            Self::WrongArguments { command, given } => match Command::KINDS.get(usize::from(*command)) {
                Some(kind) => write!(f, "Wrong number of arguments ({given}); the command is {kind}."),
                None => write!(f, "Wrong number of arguments ({given}) for this command."),
            },
            Self::NotYourCharacter { character, yours } => {
                write!(f, "Character {character} is not a living one of yours; yours: {yours}.")
            }
            Self::NoSuchLocation { location, known } => {
                write!(f, "There is no location {location}; there are {known}.")
            }
            Self::AlreadyThere { location } => {
                write!(f, "The character is at location {location} already; move elsewhere.")
            }
            Self::LocationFull { location, places } => {
                write!(
                    f,
                    "Location {location} has room for {places}, and all places are taken; a survivor must leave first."
                )
            }
            Self::AlreadyMoved { character } => {
                write!(f, "Character {character} has moved this round; it can move again in the next.")
            }
            Self::NoFuel {} => write!(f, "You hold no FUEL card; move without fuel."),
            Self::NoSuchEntrance { entrance, entrances: 1 } => {
                write!(f, "There is no entrance {entrance} here; the only one is 0.")
            }
            Self::NoSuchEntrance { entrance, entrances } => {
                write!(f, "There is no entrance {entrance} here; they are 0 to {}.", entrances.saturating_sub(1))
            }
            Self::NoZombieThere { entrance } => {
                write!(f, "There is no zombie at entrance {entrance}; choose an entrance that has one.")
            }
            Self::NoFreePlace { entrance } => {
                write!(
                    f,
                    "All three places of entrance {entrance} are taken; kill a zombie or choose another entrance."
                )
            }
            Self::NoDieFor { needed, left } => write!(f, "This needs a die of {needed} or more; left: {left}."),
            Self::NoDieLeft {} => {
                write!(f, "This needs a die, and none is left; there are new ones in the next round.")
            }
            Self::NothingToSearch {} => write!(f, "The colony cannot be searched; move to another location."),
            Self::StackEmpty { location } => {
                write!(f, "Nothing is left to find at location {location}; search elsewhere.")
            }
            Self::NotInColony { character } => {
                write!(f, "Character {character} is not in the colony; waste can be disposed of only there.")
            }
            Self::NoWaste {} => write!(f, "The waste pile is empty; cards that are played land on it."),
            Self::DisposedAlready { character } => {
                write!(f, "Waste was disposed of this round; character {character} can do so again in the next.")
            }
            Self::NotInHand { card, hand } => write!(f, "Card {card} is not in your hand; you hold {hand}."),
            Self::NotWanted { card, wanted } => {
                let wanted = match wanted {
                    CrisisKind::Food => "FOOD",
                    CrisisKind::Stuff => "STUFF (LOCK, SCISSORS and equipment count)",
                    CrisisKind::Medicine => "MEDICINE",
                    CrisisKind::Fuel => "FUEL",
                };
                write!(f, "Card {card} does not help: the crisis asks for {wanted}.")
            }
            Self::CardNeedsTarget { card } => {
                write!(f, "Card {card} is played with a character and a target: UseCard(card, character, target).")
            }
            Self::CardTakesNoTarget { card } => write!(f, "Card {card} is played alone: UseCard(card)."),
            Self::TargetNotHere { target, here } => {
                write!(f, "No living character {target} stands in the same place; here are {here}.")
            }
            Self::NotInjured { target } => {
                write!(f, "Character {target} has no injury; choose a character that has one.")
            }
            Self::AbilityIsPassive { character } => {
                write!(f, "The ability of character {character} works by itself; no command is needed.")
            }
            Self::AbilityNeedsTarget { character } => {
                write!(f, "The ability of character {character} needs a target: UseAbility(character, target).")
            }
            Self::AbilityTakesNoTarget { character } => {
                write!(f, "The ability of character {character} takes no target: UseAbility(character).")
            }
            Self::AbilityUsedUp { character, times: 0 } => {
                write!(f, "The scenario allows no use of the ability of character {character}; act without it.")
            }
            Self::AbilityUsedUp { character, times } => {
                write!(
                    f,
                    "The ability of character {character} is used up ({times} per round); it works again in the next."
                )
            }
            Self::AbilityElsewhere { character, location } => {
                write!(f, "The ability of character {character} works at location {location} only; move there first.")
            }
            Self::NoChildren { character } => {
                write!(f, "The ability of character {character} works only while there are children in the colony.")
            }
        }
    }
}

/// A short list of identifiers: the first five, and the number of further ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Few {
    first: [i32; Self::MOST],
    count: u16,
}

impl Few {
    /// The highest number of identifiers that are kept.
    pub const MOST: usize = 5;

    /// The identifiers that are kept.
    pub fn shown(&self) -> &[i32] {
        &self.first[..usize::from(self.count).min(Self::MOST)]
    }

    /// The number of identifiers that are not kept.
    pub fn more(&self) -> usize {
        usize::from(self.count).saturating_sub(Self::MOST)
    }
}

impl FromIterator<i32> for Few {
    fn from_iter<I: IntoIterator<Item = i32>>(list: I) -> Self {
        let mut few = Self { first: [0; Self::MOST], count: 0 };
        for item in list {
            if let Some(place) = few.first.get_mut(usize::from(few.count)) {
                *place = item;
            }
            few.count = few.count.saturating_add(1);
        }
        few
    }
}

impl fmt::Display for Few {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count == 0 {
            return f.write_str("none");
        }
        for (at, item) in self.shown().iter().enumerate() {
            write!(f, "{}{item}", if at == 0 { "" } else { ", " })?;
        }
        match self.more() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// The serialized form, without the unused part of the array.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Few")]
struct FewForm<L> {
    first: L,
    more: u16,
}

impl Serialize for Few {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let more = self.count.saturating_sub(Self::MOST as u16);
        FewForm { first: self.shown(), more }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Few {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form: FewForm<Vec<i32>> = FewForm::deserialize(deserializer)?;
        let full = form.first.len() == Self::MOST;
        if form.first.len() > Self::MOST || !full && form.more > 0 {
            return Err(D::Error::custom("a short list shows its first five"));
        }
        let mut few: Self = form.first.into_iter().collect();
        few.count = few.count.checked_add(form.more).ok_or_else(|| D::Error::custom("a list is too long"))?;
        Ok(few)
    }
}
