//! The public facts of a game.

use alloc::{format, string::String, sync::Arc};

use crate::{
    chart::Chart,
    event::Event,
    fields::Fields,
    map::{Direction, Position},
    node::Standing,
    outcome::Outcome,
    player::Player,
    profile::Profile,
    setup::Setup,
};

/// The public facts of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    setup: Setup,
    entrants: [Option<Entrant>; 2],
    starter: Option<Player>,
    chart: Option<Chart>,
    actions: u32,
    /// The positions of the avatars, once they are public.
    positions: Option<[Position; 2]>,
    /// The fields that the players have seen since then.
    seen: [Fields; 2],
    last: Option<Last>,
    outcome: Option<Outcome>,
    /// The number of changes that a player may know of.
    changes: u32,
}

/// A player, as the opponent may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// The first name.
    pub first_name: Arc<str>,
    /// The last name.
    pub last_name: Arc<str>,
    /// The account, if the opponent may know it.
    pub account: Option<Arc<str>>,
    /// Whether its half was taken.
    pub half: bool,
    /// Whether it has its treasure, if the opponent may know it.
    pub collected: bool,
}

/// The last action, as far as it is public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Last {
    /// The player who acted.
    pub player: Player,
    /// The direction of its step, if positions are public.
    pub step: Option<Direction>,
}

impl Entrant {
    /// First and last name.
    pub fn name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name).trim().into()
    }
}

impl Board {
    /// The setup of the game.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The numbers and switches of the game.
    pub fn profile(&self) -> &Arc<Profile> {
        self.setup.profile()
    }

    /// A player, once registered.
    pub fn entrant(&self, player: Player) -> Option<&Entrant> {
        self.entrants[player as usize].as_ref()
    }

    /// Whether both players are registered.
    pub fn has_begun(&self) -> bool {
        self.starter.is_some()
    }

    /// How many halves were taken.
    pub fn halves(&self) -> u8 {
        self.entrants.iter().flatten().map(|entrant| u8::from(entrant.half)).sum()
    }

    /// The map, once a half is on it.
    pub fn chart(&self) -> Option<&Chart> {
        self.chart.as_ref()
    }

    /// The number of actions so far.
    pub fn actions(&self) -> u32 {
        self.actions
    }

    /// The position of a player's avatar, once it is public.
    pub fn position(&self, player: Player) -> Option<Position> {
        self.positions.map(|positions| positions[player as usize])
    }

    /// The fields that a player has seen since its position is public.
    pub fn seen(&self, player: Player) -> &Fields {
        &self.seen[player as usize]
    }

    /// The last action.
    pub fn last(&self) -> Option<Last> {
        self.last
    }

    /// The end of the game, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The number of changes that a player may know of.
    pub fn changes(&self) -> u32 {
        self.changes
    }

    /// The player to act. None while halves may come in any order, and after the end.
    pub fn turn(&self) -> Option<Player> {
        let waits = self.outcome.is_some() || self.profile().halves_any_order && self.halves() < 2;
        let starter = self.starter.filter(|_| !waits)?;
        Some(if self.actions.is_multiple_of(2) { starter } else { starter.other() })
    }

    /// Whether a player must act, must wait, has won or has lost.
    pub fn standing(&self, player: Player) -> Standing {
        let sends = self.profile().halves_any_order && self.entrant(player).is_some_and(|entrant| !entrant.half);
        match self.outcome {
            Some(Outcome::Removed { .. }) => Standing::MustWait,
            Some(outcome) if outcome.has_lost(player) => Standing::Lost,
            Some(_) => Standing::Won,
            None if sends || self.turn() == Some(player) => Standing::MustAct,
            None => Standing::MustWait,
        }
    }
}

impl Board {
    /// The board before the first event.
    pub(crate) fn new(setup: &Setup) -> Self {
        Self {
            setup: setup.clone(),
            entrants: [None, None],
            starter: None,
            chart: None,
            actions: 0,
            positions: None,
            seen: [Fields::default(); 2],
            last: None,
            outcome: None,
            changes: 0,
        }
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        match event {
            Event::Seated { .. }
            | Event::Refused { .. }
            | Event::Failed { .. }
            | Event::Noted { .. }
            | Event::HalfKept { .. }
            | Event::Moved { .. }
            | Event::Spent { .. }
            | Event::Waited {}
            | Event::TreasureSeen { .. }
            | Event::TreasureTaken { .. }
            | Event::FortSeen { .. } => return,
            Event::Registered { player, first_name, last_name, account } => {
                self.enter(*player, first_name, last_name, account.as_ref());
            }
            Event::Began { starter } => self.starter = Some(*starter),
            Event::HalfTaken { player, action } => {
                self.change(*player, |entrant| entrant.half = true);
                self.act(*player, *action, None);
            }
            Event::HalfRejected { player, action, .. } => self.act(*player, *action, None),
            Event::Charted { placement, terrain, .. } => {
                let profile = self.setup.profile();
                let chart = self.chart.get_or_insert_with(|| Chart::new(placement.size(profile)));
                chart.put(profile, *placement, terrain);
            }
            Event::Appeared { first, second } => {
                self.positions = Some([*first, *second]);
                Player::BOTH.into_iter().for_each(|player| self.look(player));
            }
            Event::Acted { player, action, step } => self.act(*player, Some(*action), *step),
            Event::Collected { player } => self.change(*player, |entrant| entrant.collected = true),
            Event::Finished { outcome } => self.outcome = Some(*outcome),
        }
        self.changes += 1;
    }
}

/// The changes by events.
impl Board {
    fn enter(&mut self, player: Player, first_name: &Arc<str>, last_name: &Arc<str>, account: Option<&Arc<str>>) {
        self.entrants[player as usize] = Some(Entrant {
            first_name: first_name.clone(),
            last_name: last_name.clone(),
            account: account.cloned(),
            half: false,
            collected: false,
        });
    }

    fn change(&mut self, player: Player, change: impl FnOnce(&mut Entrant)) {
        if let Some(entrant) = &mut self.entrants[player as usize] {
            change(entrant);
        }
    }

    fn act(&mut self, player: Player, action: Option<u32>, step: Option<Direction>) {
        self.actions = action.unwrap_or(self.actions);
        self.last = Some(Last { player, step });
        let Some(direction) = step else { return };
        if let (Some(chart), Some(positions)) = (&self.chart, &mut self.positions) {
            let at = &mut positions[player as usize];
            *at = chart.step(*at, direction).unwrap_or(*at);
        }
        self.look(player);
    }

    fn look(&mut self, player: Player) {
        if let (Some(chart), Some(positions)) = (&self.chart, self.positions) {
            self.seen[player as usize].extend(chart.sight(positions[player as usize]));
        }
    }
}
