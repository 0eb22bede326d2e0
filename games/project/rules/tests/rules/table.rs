//! A game for tests: it takes commands, returns events as text, and walks pawns to the tiles that a test needs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use engine::{Audience, Cause, CommId, Emission, Input, Outbox, Rulebook, TimerChange};
use project_rules::{Command, Direction, Event, Game, Hearsay, Placed, Player, Position, Setup, Team, Timer, Zone};

pub(crate) struct Table {
    pub(crate) game: Game,
    pub(crate) outbox: Outbox<Event, Timer>,
    /// When each timer is due.
    pub(crate) timers: BTreeMap<Timer, u64>,
    pub(crate) now: u64,
    requests: u32,
}

pub(crate) const DIRECTIONS: [Direction; 4] = [Direction::Left, Direction::Up, Direction::Right, Direction::Down];

/// A board of 4 x 8: goal areas of two rows, 16 task tiles; one against one, three valid pieces, one goal at (1, 0).
pub(crate) const ONE: &str = r#"{"width": 4, "height": 8, "players_per_team": 1, "pieces": 3, "shams_percentage": 0,
    "goals": [{"x": 1, "y": 0}]}"#;

/// A scenario with some of its fields changed or added.
pub(crate) fn with(base: &str, changes: &str) -> String {
    let mut setup: serde_json::Value = serde_json::from_str(base).expect("a scenario");
    let changes: serde_json::Map<String, serde_json::Value> = serde_json::from_str(changes).expect("changes");
    setup.as_object_mut().expect("an object").extend(changes);
    setup.to_string()
}

pub(crate) fn at(x: i32, y: i32) -> Position {
    Position { x, y }
}

pub(crate) fn hash(client: u32) -> std::sync::Arc<str> {
    format!("hash-of-{client}").into()
}

impl Table {
    pub(crate) fn new(scenario: &str) -> Self {
        Self::seeded(scenario, 7)
    }

    pub(crate) fn seeded(scenario: &str, seed: i64) -> Self {
        Self::of_version(Game::RULES_VERSION, scenario, seed)
    }

    pub(crate) fn of_version(version: u32, scenario: &str, seed: i64) -> Self {
        let setup = Setup::new(scenario).expect("a setup");
        let mut outbox = Outbox::new();
        let game = Game::start_version(version, &setup, seed, &mut outbox);
        let mut table = Self { game, outbox, timers: BTreeMap::new(), now: 0, requests: 0 };
        table.follow_timers();
        table
    }

    /// A game that has begun, with all players. The first half of the clients plays for Blue.
    pub(crate) fn begun(scenario: &str) -> Self {
        Self::begun_seeded(scenario, 7)
    }

    pub(crate) fn begun_seeded(scenario: &str, seed: i64) -> Self {
        Self::seeded(scenario, seed).begin()
    }

    pub(crate) fn begun_of_version(version: u32, scenario: &str) -> Self {
        Self::of_version(version, scenario, 7).begin()
    }

    fn begin(self) -> Self {
        let mut table = self;
        let seats = table.game.setup().seats() as u32;
        for client in 1..=seats {
            table.joins(client);
        }
        for client in 1..=seats {
            table.chooses(client, if client <= seats / 2 { Team::Blue } else { Team::Red });
        }
        assert!(table.game.public().has_begun());
        table
    }

    pub(crate) fn joins(&mut self, client: u32) -> String {
        self.does(client, Command::Join { hash: hash(client) })
    }

    pub(crate) fn chooses(&mut self, client: u32, team: Team) -> String {
        self.does(client, Command::ChooseTeam { id: "setup".into(), team })
    }

    pub(crate) fn does(&mut self, client: u32, command: Command) -> String {
        self.folds(Cause::Command { client: CommId(client), command })
    }

    /// Advances the clock until a timer is due, and fires it.
    #[track_caller]
    pub(crate) fn rings(&mut self, timer: Timer) -> String {
        let due = self.timers.remove(&timer).expect("the timer is set");
        self.now = self.now.max(due);
        self.folds(Cause::Timer { timer })
    }

    fn folds(&mut self, cause: Cause<Command, Timer>) -> String {
        self.outbox.clear();
        self.game.fold(&Input { elapsed_ms: self.now, cause }, &mut self.outbox);
        self.follow_timers();
        let said: Vec<String> = self.outbox.emissions().iter().map(words).collect();
        said.join("; ")
    }

    fn follow_timers(&mut self) {
        for change in self.outbox.timers() {
            match change {
                TimerChange::Set { timer, after_ms } => _ = self.timers.insert(*timer, self.now + after_ms),
                TimerChange::Cancelled { timer } => _ = self.timers.remove(timer),
            }
        }
    }

    pub(crate) fn player(&self, client: u32) -> &Player {
        self.game.player_of(CommId(client)).expect("it plays")
    }

    #[track_caller]
    pub(crate) fn position(&self, client: u32) -> Position {
        self.player(client).position.expect("it has a pawn")
    }

    /// Sends a request with a new id, and returns the events that the player receives.
    pub(crate) fn asks(&mut self, client: u32, what: &str) -> String {
        self.requests += 1;
        let id = format!("r{}", self.requests);
        self.does(client, request(&id, what));
        let told = self.outbox.events().filter(|(audience, _)| *audience == Audience::Only(CommId(client)));
        let told: Vec<String> = told.map(|(_, event)| said(event).replace(&format!("{id}: "), "")).collect();
        told.join("; ")
    }

    /// Walks a pawn to a tile by a shortest path.
    #[track_caller]
    pub(crate) fn walks(&mut self, client: u32, to: Position) {
        let path = self.path(client, to).unwrap_or_else(|| panic!("no way from {} to {to}", self.position(client)));
        for step in path {
            let told = self.asks(client, &format!("{step:?}"));
            assert!(told.starts_with("moves to"), "{told}");
        }
        assert_eq!(self.position(client), to);
    }

    fn path(&self, client: u32, to: Position) -> Option<Vec<Direction>> {
        let team = self.player(client).team.expect("it has a team");
        let area = self.game.ground().area();
        let open = |tile: Position| {
            let zone = area.zone(tile);
            zone.is_some() && zone != Some(Zone::Goal(team.other())) && self.game.pawn_at(tile).is_none()
        };
        let start = self.position(client);
        let (mut ways, mut seen) = (VecDeque::from([(start, Vec::new())]), BTreeSet::from([start]));
        while let Some((tile, way)) = ways.pop_front() {
            if tile == to {
                return Some(way);
            }
            let next = DIRECTIONS.map(|direction| (tile.toward(direction), [&way[..], &[direction]].concat()));
            ways.extend(next.into_iter().filter(|(tile, _)| open(*tile) && seen.insert(*tile)));
        }
        None
    }

    /// Fetches a piece from the task area, a sham or a valid one.
    #[track_caller]
    pub(crate) fn fetches(&mut self, client: u32, sham: bool) {
        let ground = self.game.ground();
        let in_task_area = |tile: &Position| ground.area().zone(*tile) == Some(Zone::Task);
        let lying = ground.pieces().find(|(tile, piece)| piece.sham == sham && in_task_area(tile));
        let (tile, _) = lying.expect("there is one");
        self.walks(client, tile);
        assert_eq!(self.asks(client, "PickUp"), "picks up a piece");
    }

    /// Brings a valid piece to a tile and places it there.
    #[track_caller]
    pub(crate) fn brings(&mut self, client: u32, to: Position, expected: Placed) -> String {
        self.fetches(client, false);
        self.walks(client, to);
        let id = format!("placing-at-{to}");
        let said = self.does(client, request(&id, "Place"));
        let answer = self.game.answered(CommId(client), &id);
        assert_eq!(answer, Some(project_rules::Answer::Placed { result: expected }));
        said
    }
}

pub(crate) fn request(id: &str, what: &str) -> Command {
    let id = id.into();
    match what {
        "Discover" => Command::Discover { id },
        "PickUp" => Command::PickUp { id },
        "Test" => Command::Test { id },
        "Place" => Command::Place { id },
        direction => {
            let found = DIRECTIONS.into_iter().find(|known| format!("{known:?}") == direction);
            Command::Move { id, direction: found.expect("a direction") }
        }
    }
}

fn words(emission: &Emission<Event>) -> String {
    match emission {
        Emission::Seated { client } => format!("+{client}"),
        Emission::Unseated { client } => format!("-{client}"),
        Emission::Event { audience: Audience::Only(client), event } => format!("{client}> {}", said(event)),
        Emission::Event { audience: Audience::Board, event } => format!("[{}]", said(event)),
        Emission::Event { audience: Audience::All, event } => format!("all> {}", said(event)),
    }
}

fn said(event: &Event) -> String {
    match event {
        Event::Confirmed { player } => format!("you are {player}"),
        Event::Refused { refusal } => format!("refused: {refusal}"),
        Event::TeamGiven { context, team, leader } => {
            let context = context.as_deref().unwrap_or("unasked");
            format!("{context}: {team}{}", if *leader { " leader" } else { "" })
        }
        Event::Started { players, width, height, position } => {
            let players: Vec<String> = players.iter().map(|(id, team)| format!("{id} {team}")).collect();
            format!("{width} x {height}, {}, at {position}", players.join(", "))
        }
        Event::Answered { context, answer } => format!("{context}: {answer}"),
        Event::Repeated { context, answer } => format!("{context} again: {answer}"),
        Event::Noted { note } => format!("{note}"),
        Event::Joined { player } => format!("{player} joined"),
        Event::TeamJoined { player, team } => format!("{player} in {team}"),
        Event::Began {} => "began".into(),
        Event::Acted { player } => format!("{player} acted"),
        Event::Scored { team } => format!("{team} scored"),
        Event::Lost { player } => format!("{player} lost"),
        Event::Returned { player } => format!("{player} back"),
        Event::Left { player } => format!("{player} left"),
        Event::Ended { outcome } => outcome.to_string(),
        Event::Told { from, to } => format!("{from} to {to}"),
        Event::Learnt { from, tiles } => {
            let tile = |Hearsay { tile, age }: &Hearsay| format!("{} {:?} {age} ms ago", tile.position, tile.object);
            format!("{from} told: {}", tiles.iter().map(tile).collect::<Vec<_>>().join(", "))
        }
    }
}
