//! `holdfast bot` on a host that is killed: the bots reconnect by themselves and play the game to its end.

use std::{
    io::Read,
    path::Path,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use colony::{
    Bot,
    bot_client::{BotClient, Place},
    remote::Player,
    strategy,
};
use colony_rules::View;
use commlib::{Create, Want};
use engine::JavaRandom;
use server::log::{GameRecord, verify};

use crate::{
    gate::Gate,
    process::{HostProcess, Scratch, today},
    stored::{self, wait},
};

const KILLS: u32 = 3;
/// The number of commands that the third player may send between two kills.
const APART: u32 = 3;
/// The longest wait, with room for a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Two bots play with a third player whose commands the test allows one by one. The game has ten rounds, and the third player
/// cannot end ten turns before the last kill.
#[test]
fn bots_come_back_by_themselves() {
    let scratch = Scratch::new("bots");
    let log = scratch.path("games.log");
    let mut host = HostProcess::start(&log);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let create = Create { rulebook: None, scenario: scenario(), edition: None, seed: Some(11), timeout: None };
    let place = Place { address: host.address().into(), want: Want::Create(create), game: None };
    let player = Player { name: "Ana".into(), bot: Bot::Function(decide_when_allowed) };
    let ana = runtime.block_on(BotClient::enter(place, player, Duration::ZERO, 1)).expect("a place");
    let mut bots = Bots::start(&host.address().to_string(), ana.game());
    let ana = runtime.spawn(ana.play());

    for kill in 1..=KILLS {
        ALLOWED.open_until(kill * APART);
        // The third player has reached its last allowed command. The bots are then in their turns, or about to be.
        ALLOWED.wait_for(kill * APART - 1);
        host.kill();
        let left = game(&log).expect("the log has the game");
        assert!(left.end.is_none(), "kill {kill} comes in the middle of the game");
        host.restart();
    }
    let entries = game(&log).expect("the log has the game").tail.entries;
    ALLOWED.open();
    let said = bots.end();
    assert!(said.ends_with("won\n") || said.contains("\nlost"), "{said}");
    assert!(said.starts_with("in game "), "{said}");
    let ana = runtime.block_on(async { tokio::time::timeout(PATIENCE, ana).await });
    ana.expect("the game ends").expect("no panic").expect("she plays to the end");

    host.wait_until_all_games_ended();
    let played = game(&log).expect("the log has the game");
    assert!(played.tail.entries > entries, "it went on after the last kill");
    assert_eq!(played.players, Some(["Ana", "bot 1", "bot 2"].map(ToOwned::to_owned).to_vec()));
    assert!(played.end.is_some_and(|end| said.contains(&end.outcome)), "{said}");
    host.stop();
    let file = stored::open(&log).expect("the log can be opened");
    assert!(wait(verify(&*file, |_| ())).expect("the log can be read").is_sound());
}

/// Winter for three players, with so much morale that all ten rounds are played.
fn scenario() -> String {
    let text = colony::scenario("winter").expect("it is built in");
    let mut winter: serde_json::Value = serde_json::from_str(text).expect("JSON");
    winter["maxPlayers"] = 3.into();
    winter["goal"]["moral"] = 1000.into();
    winter.to_string()
}

/// Limits the commands of the third player. Only one test of this process uses it.
static ALLOWED: Gate = Gate::closed();

fn decide_when_allowed(view: &View, random: &mut JavaRandom) -> colony_rules::Command {
    static COMMANDS: AtomicU32 = AtomicU32::new(0);
    ALLOWED.pass(COMMANDS.fetch_add(1, Ordering::Relaxed));
    strategy("sensible").expect("a strategy").bot.decide(view, random)
}

/// The host is killed before it receives `StartGame`. No player is asked anything, so the bot must repeat the command.
#[tokio::test]
async fn a_start_that_is_lost_is_said_again() {
    let scratch = Scratch::new("start");
    let log = scratch.path("games.log");
    let mut host = HostProcess::start(&log);
    let bot = strategy("sensible").expect("a strategy").bot;
    let create = Create { rulebook: None, scenario: "winter".into(), edition: None, seed: Some(5), timeout: None };
    let mut place = Place { address: host.address().into(), want: Want::Create(create), game: None };
    let mut guests = Vec::new();
    for name in ["Ana", "Bo"] {
        let player = Player { name: name.into(), bot };
        let guest = BotClient::enter(place.clone(), player, Duration::ZERO, 1).await.expect("a place");
        place = Place { want: Want::Join { seat: None }, game: Some(guest.game().into()), ..place };
        guests.push(guest);
    }
    host.kill();
    guests[0].start().await.expect("nothing that matters goes wrong");
    host.restart();
    let entries = game(&log).expect("the log has the game").tail.entries;
    assert_eq!(entries, 2, "the start is not in the log");
    for guest in guests.into_iter().map(|guest| tokio::spawn(guest.play())).collect::<Vec<_>>() {
        let played = tokio::time::timeout(PATIENCE, guest).await.expect("the game ends");
        played.expect("no panic").expect("the bot plays to the end");
    }
    host.wait_until_all_games_ended();
}

/// The only game of a log, if it exists yet.
fn game(log: &Path) -> Option<GameRecord> {
    let file = stored::open(log).expect("a log can be read while a host writes it");
    wait(file.list()).expect("its games can be listed").pop()
}

/// A process with bots. Dropping it kills the process.
pub(super) struct Bots(Child);

impl Bots {
    fn start(address: &str, game: &str) -> Self {
        // Slow enough that a kill interrupts a turn.
        Self::start_program(&today(), address, &["--game", game, "--count", "2", "--seed", "11", "--pace", "15"])
    }

    /// Starts bots with another build of the program.
    pub(super) fn start_program(program: &Path, address: &str, more: &[&str]) -> Self {
        let bots = Command::new(program)
            .args(["bot", "--connect", address])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn();
        Self(bots.expect("the program starts"))
    }

    /// Waits until the process has succeeded. Returns its output.
    pub(super) fn end(&mut self) -> String {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.0.try_wait().expect("it can be asked for") {
                break status;
            }
            assert!(Instant::now() < deadline, "the bots do not end");
            std::thread::sleep(Duration::from_millis(20));
        };
        let mut said = String::new();
        self.0.stdout.take().expect("it is piped").read_to_string(&mut said).expect("text");
        assert!(status.success(), "{status}: {said}");
        said
    }
}

impl Drop for Bots {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _ended = self.0.wait();
    }
}
