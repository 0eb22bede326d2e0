//! No player is told a secret that it has not seen.

use engine::{Audience, Cause, CommId, Input, Outbox, Rulebook};
use treasure_rules::{Command, Direction, Event, Game, Player, Position, Setup, Timer, ViewRef};

use crate::{
    table::{ANA, BO, GOOD, half, register, seeds, send},
    wanderer::Wanderer,
};

const GAMES: i64 = 1_000;

/// In random games, each place in an event or a view is one that its reader has seen or may know.
#[test]
fn places_that_were_seen() {
    let mut told = 0;
    for seed in 0..GAMES {
        let setup = Setup::new(["2022", "2017"][seed as usize % 2]).expect("a setup");
        let mut wanderer = Wanderer::new(seed);
        let mut outbox = Outbox::new();
        let mut game = Game::start(&setup, wanderer.random.next_long(), &mut outbox);
        let mut elapsed = 0;
        for _ in 0..400 {
            elapsed += 500;
            outbox.clear();
            game.fold(&Input { elapsed_ms: elapsed, cause: wanderer.next(&game) }, &mut outbox);
            for (audience, event) in outbox.events() {
                check_event(&game, audience, event);
                told += 1;
            }
            (0..=4).map(CommId).for_each(|client| check_view(&game, client));
            if game.outcome().is_some() {
                break;
            }
        }
    }
    assert!(told > 100_000, "only {told} events were looked at");
}

/// Whether the positions of the avatars are public.
fn is_public(game: &Game) -> bool {
    let board = game.public();
    board.halves() == 2 && board.actions() >= board.profile().disguised
}

#[track_caller]
fn check_event(game: &Game, audience: Audience, event: &Event) {
    let reader = match audience {
        Audience::Only(client) => game.player_of(client),
        Audience::All | Audience::Board => None,
    };
    let sees = |at: &Position| {
        reader.and_then(|player| game.private(player)).is_some_and(|private| private.seen.contains(*at))
    };
    let fine = match event {
        Event::TreasureSeen { at } | Event::TreasureTaken { at } => {
            sees(at) && reader.and_then(|player| game.treasure(player)) == Some(*at)
        }
        Event::FortSeen { at } => sees(at),
        Event::Moved { to } => reader.and_then(|player| game.private(player)?.at) == Some(*to),
        Event::HalfKept { fort, .. } => reader.and_then(|player| game.private(player)?.fort) == Some(*fort),
        Event::Seated { player, .. } => reader == Some(*player),
        Event::Spent { .. } | Event::Waited {} | Event::Noted { .. } => reader.is_some(),
        Event::Refused { .. } | Event::Failed { .. } => matches!(audience, Audience::Only(_)),
        Event::Appeared { .. } => is_public(game),
        Event::Acted { step, .. } => step.is_none() || is_public(game),
        Event::Charted { .. } => !game.public().profile().halves_any_order || game.public().halves() == 2,
        // The half was never part of a map, and the game is over.
        Event::HalfRejected { .. } => game.outcome().is_some(),
        Event::Collected { .. } => game.public().profile().tells_other,
        Event::Registered { account, .. } => account.is_none() || game.public().profile().tells_other,
        Event::Began { .. } | Event::HalfTaken { .. } | Event::Finished { .. } => true,
    };
    assert!(fine, "{audience:?} may not know {event:?}");
}

#[track_caller]
fn check_view(game: &Game, client: CommId) {
    let view = game.view_ref(client);
    let own = game.player_of(client);
    assert_eq!(view.player(), own);
    let text = format!("{view:?}");
    for member in game.players().iter().filter(|member| Some(member.player) != own) {
        assert!(!text.contains(&*member.id), "client {client} knows the id of {:?}", member.player);
    }
    let shown = game.public().position(Player::First).is_some();
    assert!(!shown || is_public(game), "everybody sees the avatars too early");
    let Some(private) = view.private else { return };
    assert!([private.treasure, private.enemy_fort].iter().flatten().all(|at| private.seen.contains(*at)));
    assert!(!private.collected || game.treasure(private.player).is_some_and(|at| private.seen.contains(at)));
}

/// Two games differ only in Bo's id, fort and moves. Both look the same to Ana, as long as she sees nothing of the differences.
/// So no event for her depends on Bo's secrets.
#[test]
fn the_same_to_the_other() {
    let mut compared = 0;
    for seed in seeds().take(300) {
        let [mut one, mut two] = [Secret::First, Secret::Second].map(|secret| Side::new(seed, secret));
        assert_eq!(one.game.turn(), two.game.turn(), "the same begins");
        while one.game.public().actions() < 15 && one.game.outcome().is_none() {
            let client = one.game.turn().expect("a player to act");
            let Side { game, .. } = &one;
            let ana = (client == CommId(ANA)).then(|| ana_moves(game));
            let [told_one, told_two] = [&mut one, &mut two].map(|side| side.goes_on(client, ana.clone()));
            if told_two.contains(&Event::Collected { player: Player::Second }) {
                // This event is public.
                break;
            }
            assert_eq!(told_one, told_two, "Ana is told the same with seed {seed}");
            assert_eq!(one.ana(), two.ana(), "Ana knows the same with seed {seed}");
            assert_eq!(one.game.board(), two.game.board(), "everybody knows the same with seed {seed}");
            let shown = |view: ViewRef<'_>| (view.enemy_position(), view.players(), view.game_state_id());
            assert_eq!(shown(one.ana()), shown(two.ana()), "Ana is shown the same with seed {seed}");
            compared += 1;
        }
        assert_ne!(one.game, two.game, "and yet they differ");
    }
    assert!(compared > 3_000, "only {compared} steps were compared");
}

/// Bo's secrets, in which the two games differ.
#[derive(Clone, Copy)]
enum Secret {
    First,
    Second,
}

struct Side {
    game: Game,
    secret: Secret,
    outbox: Outbox<Event, Timer>,
}

impl Side {
    fn new(seed: i64, secret: Secret) -> Self {
        let mut outbox = Outbox::new();
        let game = Game::start(&Setup::new("2022").expect("a setup"), seed, &mut outbox);
        let mut side = Self { game, secret, outbox };
        side.folds(ANA, register("Ana"));
        let Command::Register { first_name, last_name, account, .. } = register("Bo") else { return side };
        let id = match secret {
            Secret::First => "one id".into(),
            Secret::Second => "another id".into(),
        };
        side.folds(BO, Command::Register { id, first_name, last_name, account });
        side
    }

    fn folds(&mut self, client: u32, command: Command) {
        self.outbox.clear();
        let cause = Cause::Command { client: CommId(client), command };
        self.game.fold(&Input { elapsed_ms: 0, cause }, &mut self.outbox);
    }

    /// The player to act acts. Returns the events that Ana receives.
    fn goes_on(&mut self, client: CommId, ana: Option<Command>) -> Vec<Event> {
        let command = ana.unwrap_or_else(|| self.bo_moves());
        self.folds(client.0, command);
        let hears = |audience| audience == Audience::All || audience == Audience::Only(CommId(ANA));
        self.outbox.events().filter(|(audience, _)| hears(*audience)).map(|(_, event)| event.clone()).collect()
    }

    /// Bo sends the same half with a different fort. Then he goes right, or turns back and forth and gets nowhere.
    fn bo_moves(&self) -> Command {
        let private = self.game.private(Player::Second).expect("he plays");
        match (self.secret, private.fort) {
            (Secret::First, None) => send(half(&["GGGGGGFGGG", GOOD[1], GOOD[2], GOOD[3], GOOD[4]])),
            (Secret::Second, None) => send(half(&["GGGGGGGGGG", GOOD[1], "GGFGGGGGGG", GOOD[3], GOOD[4]])),
            (Secret::First, Some(_)) if private.progress.map(|one| one.direction) == Some(Direction::Left) => {
                Command::Move { direction: Direction::Right }
            }
            (Secret::First, Some(_)) => Command::Move { direction: Direction::Left },
            (Secret::Second, Some(_)) => Command::Move { direction: Direction::Right },
        }
    }

    fn ana(&self) -> ViewRef<'_> {
        self.game.view_ref(CommId(ANA))
    }
}

/// Ana stays on her upper edge, from which she sees nothing of Bo's half.
fn ana_moves(game: &Game) -> Command {
    let private = game.private(Player::First).expect("she plays");
    match private.fort {
        None => send(half(&GOOD)),
        Some(_) => Command::Move { direction: Direction::Right },
    }
}
