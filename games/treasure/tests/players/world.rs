//! A game by the rulebook, without a host. Its players receive the same facts as over the protocols.

use engine::{Cause, CommId, Input, Outbox, Rulebook};
use treasure::players::{
    half::Half,
    land::Land,
    mind::{Enemy, Guide, News},
};
use treasure_rules::{
    Command, Direction, FortState, Game, Outcome, Player, Position, Profile, Setup, Terrain, ViewRef,
};

const CLIENTS: [CommId; 2] = [CommId(1), CommId(2)];

/// A game with two players who have sent their halves.
pub(crate) struct World {
    game: Game,
    outbox: Outbox<treasure_rules::Event, treasure_rules::Timer>,
    pub(crate) land: Land,
    pub(crate) forts: [Position; 2],
    /// The number of moves or updates of each player.
    actions: [u32; 2],
    /// The unfinished step of each player: its direction, and the last count.
    step: [Option<(Direction, i32)>; 2],
}

impl World {
    pub(crate) fn new(profile: &Profile, halves: [&Half; 2], seed: i64) -> Self {
        let setup = Setup::new(profile.year.name()).expect("a setup");
        let mut outbox = Outbox::new();
        let game = Game::start(&setup, seed, &mut outbox);
        let land = Land::new(1, vec![Terrain::Water]);
        let mut world = Self { game, outbox, land, forts: [Position::new(0, 0); 2], actions: [0; 2], step: [None; 2] };
        for (client, id) in CLIENTS.into_iter().zip(["one", "two"]) {
            let name = || "name".into();
            world.take(
                client,
                Command::Register { id: id.into(), first_name: name(), last_name: name(), account: name() },
            );
        }
        for _ in CLIENTS {
            let client = world.game.turn().unwrap_or(CLIENTS[world.game.public().halves() as usize]);
            let fields = halves[index(client)].fields();
            world.take(client, Command::SendHalf { fields, coding: None });
        }
        let view = world.view(0);
        let chart = view.board.chart().expect("a map");
        world.land = Land::new(chart.width().into(), chart.fields().map(|(_, terrain)| terrain).collect());
        world.forts = [0, 1].map(|player| world.view(player).fort().expect("a fort"));
        world
    }

    fn take(&mut self, client: CommId, command: Command) {
        self.outbox.clear();
        self.game.fold(&Input { elapsed_ms: 0, cause: Cause::Command { client, command } }, &mut self.outbox);
    }

    fn view(&self, player: usize) -> ViewRef<'_> {
        self.game.view_ref(CLIENTS[player])
    }

    fn profile(&self) -> &'static Profile {
        self.game.public().setup().year.profile()
    }

    /// The facts that the protocol tells the player.
    fn news(&self, player: usize) -> News {
        let (view, counts_down) = (self.view(player), self.profile().counts_down);
        let fort = view.nodes().find(|node| node.fort == FortState::EnemyFortPresent).map(|node| node.at);
        // In 2017, a player first sees the opponent in the answer to its own first update.
        let is_shown =
            if counts_down { self.actions[player] > 0 } else { view.board.actions() >= self.profile().disguised };
        // An answer of 2017 may have been written after the opponent's next update.
        let walked = self.actions[1 - player] + u32::from(counts_down);
        News {
            me: view.position().expect("it is somewhere"),
            treasure: view.private.and_then(|private| private.treasure).filter(|_| !counts_down),
            collected: view.has_treasure(),
            enemy_fort: fort.filter(|_| !counts_down),
            enemy: view.enemy_position().filter(|_| is_shown).map(|at| Enemy { at, walked }),
        }
    }

    /// Plays to the end. Returns the outcome, and the number of actions of each player.
    pub(crate) fn play(mut self, mut guides: [Box<dyn Guide>; 2]) -> (Outcome, [u32; 2]) {
        loop {
            if let Some(outcome) = self.game.outcome() {
                return (outcome, self.actions);
            }
            let player = index(self.game.turn().expect("a player to act"));
            guides[player].learn(&self.news(player));
            let direction = guides[player].next().expect("there is always somewhere to go");
            let command = self.command(player, direction);
            self.actions[player] += 1;
            self.take(CLIENTS[player], command);
        }
    }

    fn command(&mut self, player: usize, direction: Direction) -> Command {
        if !self.profile().counts_down {
            return Command::Move { direction };
        }
        let at = self.view(player).position().expect("it is somewhere");
        let to = at.toward(direction).expect("a field of the map");
        let terrain = |at| self.land.terrain(self.land.place(at).expect("on the map"));
        let whole = i32::from(terrain(at).cost() + terrain(to).cost());
        let turns = match self.step[player] {
            Some((last, left)) if last == direction => left - 1,
            Some(_) | None => whole,
        };
        self.step[player] = (turns > 0).then_some((direction, turns));
        let Position { x, y } = at;
        Command::Update { x: x.into(), y: y.into(), wanted_x: to.x.into(), wanted_y: to.y.into(), turns }
    }
}

fn index(client: CommId) -> usize {
    usize::from(client == CLIENTS[1])
}

pub(crate) fn number(player: Player) -> usize {
    player as usize
}
