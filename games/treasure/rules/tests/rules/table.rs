//! A game that handles one input at a time, and halves as rows of letters.

use engine::{Cause, CommId, Input, JavaRandom, Outbox, Rulebook, TimerChange};
use treasure_rules::{Command, Direction, Event, Field, Game, Player, Position, Setup, Terrain, Timer, ViewRef};

use crate::ways::toward;

/// The fort is in the corner, no edge has water, and the numbers of mountains and water fields are the required ones.
pub(crate) const GOOD: [&str; 5] = ["FGGGGGGGGG", "GWGWGWGWGG", "GGGGGGGGGG", "GWGWGWGMMM", "MMGGGGGGGG"];
/// The same for 2017, with one water field on the lower edge.
pub(crate) const GOOD_2017: [&str; 4] = ["FGGGGGGG", "GWGWGWGG", "GGGGGGGM", "GWGGGGMM"];

pub(crate) const ANA: u32 = 1;
pub(crate) const BO: u32 = 2;

/// The fields of rows: `G`rass, `M`ountain, `W`ater, a `F`ort on grass, on a mountain (`P`eak) or on water (`S`hip).
pub(crate) fn half(rows: &[&str]) -> Vec<Field> {
    let row = |(y, row): (usize, &&str)| {
        let field = move |(x, letter): (usize, char)| Field {
            at: Position::new(x as u8, y as u8),
            terrain: match letter {
                'G' | 'F' => Terrain::Grass,
                'M' | 'P' => Terrain::Mountain,
                'W' | 'S' => Terrain::Water,
                other => panic!("{other} is no field"),
            },
            fort: matches!(letter, 'F' | 'P' | 'S'),
        };
        row.chars().enumerate().map(field).collect::<Vec<_>>()
    };
    rows.iter().enumerate().flat_map(row).collect()
}

pub(crate) fn good(setup: &Setup) -> Vec<Field> {
    if setup.profile().counts_down { half(&GOOD_2017) } else { half(&GOOD) }
}

pub(crate) struct Table {
    pub(crate) game: Game,
    pub(crate) outbox: Outbox<Event, Timer>,
    pub(crate) elapsed: u64,
}

impl Table {
    pub(crate) fn new(scenario: &str, seed: i64) -> Self {
        let setup = Setup::new(scenario).expect("a scenario");
        let mut outbox = Outbox::new();
        Self { game: Game::start(&setup, seed, &mut outbox), outbox, elapsed: 0 }
    }

    /// A game in which both players are registered.
    pub(crate) fn begun(scenario: &str, seed: i64) -> Self {
        let mut table = Self::new(scenario, seed);
        table.does(ANA, register("Ana"));
        table.does(BO, register("Bo"));
        table
    }

    /// A game in which both players have sent these halves. The first one is Ana's.
    pub(crate) fn charted_with(scenario: &str, seed: i64, halves: [&[&str]; 2]) -> Self {
        let mut table = Self::begun(scenario, seed);
        for _ in 0..2 {
            let client = match table.game.turn() {
                Some(client) => client.0,
                // If halves may come in any order, Ana sends hers first.
                None => ANA + u32::from(table.game.public().halves()),
            };
            table.does(client, send(half(halves[client as usize - 1])));
        }
        assert_eq!(table.game.public().halves(), 2);
        table
    }

    pub(crate) fn charted(scenario: &str, seed: i64) -> Self {
        let rows: &[&str] = if scenario.starts_with("2017") { &GOOD_2017 } else { &GOOD };
        Self::charted_with(scenario, seed, [rows, rows])
    }

    /// A game with these halves, and with the first seed that fulfils the condition.
    pub(crate) fn with(scenario: &str, halves: [&[&str]; 2], wanted: impl Fn(&Game) -> bool) -> Self {
        let tables = seeds().take(20_000).map(|seed| Self::charted_with(scenario, seed, halves));
        tables.into_iter().find(|table| wanted(&table.game)).expect("a seed with what is wanted")
    }

    pub(crate) fn does(&mut self, client: u32, command: Command) -> String {
        self.folds(Cause::Command { client: CommId(client), command })
    }

    pub(crate) fn rings(&mut self, timer: Timer) -> String {
        self.folds(Cause::Timer { timer })
    }

    fn folds(&mut self, cause: Cause<Command, Timer>) -> String {
        self.outbox.clear();
        self.game.fold(&Input { elapsed_ms: self.elapsed, cause }, &mut self.outbox);
        self.outbox.events().map(|(_, event)| tell(event)).collect::<Vec<_>>().join("; ")
    }

    /// The timers that the last input has set.
    pub(crate) fn timers(&self) -> Vec<(Timer, Option<u64>)> {
        let timer = |change: &TimerChange<Timer>| match change {
            TimerChange::Set { timer, after_ms } => (*timer, Some(*after_ms)),
            TimerChange::Cancelled { timer } => (*timer, None),
        };
        self.outbox.timers().iter().map(timer).collect()
    }

    /// The client whose turn it is.
    pub(crate) fn turn(&self) -> u32 {
        self.game.turn().expect("a player to act").0
    }

    pub(crate) fn view(&self, client: u32) -> ViewRef<'_> {
        self.game.view_ref(CommId(client))
    }

    /// The player to act makes an action without effect. In 2022, its avatar must be on a fort in the corner.
    pub(crate) fn idles(&mut self) -> String {
        let client = self.turn();
        if self.game.public().profile().counts_down {
            return self.waits(client);
        }
        // An avatar that always changes its direction never arrives.
        let right = self.view(client).private.and_then(|private| private.progress).map(|progress| progress.direction);
        let direction = if right == Some(Direction::Right) { Direction::Down } else { Direction::Right };
        self.does(client, Command::Move { direction })
    }

    /// The client moves. Before that, the other player idles until it is the client's turn.
    pub(crate) fn moves(&mut self, client: u32, direction: Direction) -> String {
        while self.game.turn().is_some_and(|turn| turn.0 != client) {
            self.idles();
        }
        self.does(client, Command::Move { direction })
    }

    /// The client sends an update from its current position.
    pub(crate) fn updates(&mut self, client: u32, (dx, dy): (i32, i32), turns: i32) -> String {
        while self.game.turn().is_some_and(|turn| turn.0 != client) {
            self.idles();
        }
        let Position { x, y } = self.view(client).position().expect("it has an avatar");
        let (x, y) = (i32::from(x), i32::from(y));
        self.does(client, Command::Update { x, y, wanted_x: x + dx, wanted_y: y + dy, turns })
    }

    /// The client goes to a field, and the other player idles. Returns the events of the last move.
    pub(crate) fn goes(&mut self, client: u32, to: Position) -> String {
        let mut said = String::new();
        while let Some(from) = self.view(client).position().filter(|at| *at != to && self.game.outcome().is_none()) {
            let chart = self.game.public().chart().expect("a map");
            let direction = toward(chart, from, to).expect("a way");
            said = self.moves(client, direction);
        }
        said
    }

    fn waits(&mut self, client: u32) -> String {
        let Position { x, y } = self.view(client).position().expect("it has an avatar");
        let (x, y) = (i32::from(x), i32::from(y));
        self.does(client, Command::Update { x, y, wanted_x: x, wanted_y: y, turns: 0 })
    }
}

pub(crate) fn register(name: &str) -> Command {
    Command::Register {
        id: format!("secret of {name}").into(),
        first_name: name.into(),
        last_name: "Test".into(),
        account: name.to_lowercase().into(),
    }
}

pub(crate) fn send(fields: Vec<Field>) -> Command {
    Command::SendHalf { fields, coding: None }
}

/// Seeds that are far apart. Similar seeds give similar first random numbers.
pub(crate) fn seeds() -> impl Iterator<Item = i64> {
    let mut random = JavaRandom::new(1);
    std::iter::from_fn(move || Some(random.next_long()))
}

fn who(player: Player) -> &'static str {
    match player {
        Player::First => "Ana",
        Player::Second => "Bo",
    }
}

fn tell(event: &Event) -> String {
    let number = |action: &Option<u32>| action.map_or(String::new(), |action| format!(" {action}"));
    match event {
        Event::Seated { player, .. } => format!("you are {player}"),
        Event::Refused { refusal } => format!("refused {}: {refusal}", refusal.name()),
        Event::Failed { refusal } => format!("failed {}: {refusal}", refusal.name()),
        Event::Noted { number, refusal } => format!("noted {number}: {refusal}"),
        Event::Registered { first_name, .. } => format!("{first_name} registers"),
        Event::Began { starter } => format!("{} begins", who(*starter)),
        Event::HalfTaken { player, action } => format!("{} half{}", who(*player), number(action)),
        Event::HalfRejected { player, action, .. } => format!("{} bad half{}", who(*player), number(action)),
        Event::HalfKept { .. } => "kept".into(),
        Event::Charted { player, .. } => format!("{} charted", who(*player)),
        Event::Appeared { .. } => "both appear".into(),
        Event::Acted { player, action, step } => {
            format!("{} {action}{}", who(*player), step.map_or(String::new(), |step| format!(" {}", step.word())))
        }
        Event::Moved { .. } => "there".into(),
        Event::Spent { left, .. } => format!("{left} left"),
        Event::Waited {} => "waits".into(),
        Event::TreasureSeen { .. } => "sees treasure".into(),
        Event::TreasureTaken { .. } => "takes treasure".into(),
        Event::FortSeen { .. } => "sees fort".into(),
        Event::Collected { player } => format!("{} collected", who(*player)),
        Event::Finished { outcome } => format!("over: {outcome}"),
    }
}
