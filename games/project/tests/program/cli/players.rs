//! `holdfast project player` and `arena` on the command line: a whole game with real processes.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
};

use testkit::Request;

use super::line::{Line, uuid};
use crate::{complains, holdfast, port::Port, stdout, wait_until};

/// The working folder of the programs. It is removed with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("holdfast-players-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).expect("written");
        path.to_str().expect("a plain path").to_owned()
    }

    fn start(&self, arguments: &[&str]) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_holdfast"));
        command.args(arguments).current_dir(&self.0).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let lines = BufReader::new(child.stdout.take().expect("it prints"));
        Program { child, lines, said: String::new() }
    }

    /// Starts a server for teams of this many players, and returns its address.
    fn serve(&self, players: u32) -> (Program, String) {
        let configuration = self.write("game.txt", &configuration(players));
        let serve = ["project", "serve", "--config", &configuration, "--listen", "127.0.0.1:0", "--http", "off"];
        let mut server = self.start(&serve);
        let line = server.until("listening on ");
        (server, line)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

/// A program that is killed when the test ends.
struct Program {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
    said: String,
}

impl Program {
    /// Reads up to a line with this beginning, and returns the rest of the line.
    fn until(&mut self, begin: &str) -> String {
        loop {
            let mut line = String::new();
            let read = self.lines.read_line(&mut line).expect("text");
            self.said.push_str(&line);
            if let Some(rest) = line.strip_prefix(begin) {
                return rest.trim_end().to_owned();
            }
            assert!(read > 0, "{begin:?} was not said: {}", self.said);
        }
    }

    /// Waits for the end of the program, and returns its exit code, standard output and standard error.
    fn end(mut self) -> (Option<i32>, String, String) {
        std::io::Read::read_to_string(&mut self.lines, &mut self.said).expect("text");
        let mut complaint = String::new();
        let mut errors = self.child.stderr.take().expect("it complains");
        std::io::Read::read_to_string(&mut errors, &mut complaint).expect("text");
        let code = self.child.wait().expect("it ends").code();
        (code, std::mem::take(&mut self.said), complaint)
    }
}

impl Program {
    /// Sends SIGINT, as Ctrl-C does, and waits for the end.
    fn interrupt(mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill can be called").success());
        assert_eq!(self.child.wait().expect("it ends").code(), Some(0));
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _its_status = self.child.wait();
    }
}

fn configuration(players: u32) -> String {
    format!(
        "<GameConfiguration><BoardWidth>6</BoardWidth><BoardHeight>12</BoardHeight>
        <ServerAddress>127.0.0.1</ServerAddress>
        <ReconnectionAttemptsCount>300</ReconnectionAttemptsCount><ReconnectionAttemptInterval>1</ReconnectionAttemptInterval>
        <PlayersPerTeam>{players}</PlayersPerTeam><Pieces>10</Pieces><ShamsPercentage>20</ShamsPercentage>
        <GoalsPositions><Position><X>0</X><Y>1</Y></Position><Position><X>4</X><Y>2</Y></Position></GoalsPositions>
        <ActionCosts><Move>20</Move><Discover>90</Discover><Test>100</Test><Pickup>20</Pickup><Place>20</Place></ActionCosts>
        <JoinTimeout>300000</JoinTimeout></GameConfiguration>"
    )
}

#[test]
fn a_game_of_real_programs() {
    let folder = Folder::new("game");
    let (server, address) = folder.serve(2);
    let file =
        folder.write("player.xml", "<PlayerConfiguration><TeamPreference>Red</TeamPreference></PlayerConfiguration>");
    let player = |preference: [&str; 2], strategy: &str, more: &[&str]| {
        let [name, value] = preference;
        let fixed = ["project", "player", "--connect", &address, name, value, "--strategy", strategy];
        folder.start(&[&fixed, more].concat())
    };
    let players = [
        player(["--team", "blue"], "team", &[]),
        player(["--team", "Blue"], "team", &["--costs", "exchange=100"]),
        player(["--config", &file], "solo", &[]),
        player(["--config", &file], "random", &["--quiet", "--trace-file", "own.txt"]),
    ];
    let ends: Vec<_> = players.into_iter().map(Program::end).collect();
    let (code, said, complaint) = server.end();
    assert_eq!((code, complaint.as_str()), (Some(0), ""), "{said}");
    let result = ends[3].1.trim_end();
    assert!(result.starts_with("Success: ") && result.lines().count() == 1, "{result:?} is all that is said quietly");
    for (code, said, complaint) in &ends {
        assert_eq!((*code, complaint.as_str()), (Some(0), ""), "{said}");
        assert_eq!(said.lines().last(), Some(result), "won or lost, that is how it ended");
    }
    let said: String = ends.iter().map(|(_, said, _)| said.as_str()).collect();
    for part in ["leads Blue", "in Blue", "4 players on 6 x 12 tiles: it begins"] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    let over = format!("the game is over: {result}");
    let named = ends.iter().filter_map(|(_, said, _)| said.lines().next()?.strip_prefix("trace file: "));
    let mut named: Vec<&str> = named.collect();
    named.sort_unstable();
    named.dedup();
    assert_eq!(named.len(), 3, "{named:?}: each player has its own trace, and the quiet one names none");
    assert!(named.iter().all(|file| file.starts_with("player-")), "{named:?}");
    for file in [&named[..], &["own.txt"]].concat() {
        let trace = fs::read_to_string(folder.0.join(file)).expect("a trace file");
        assert!(trace.contains("heard <?xml") && trace.contains(&over), "{trace}");
    }
}

/// Each program names its trace file in its first line of output, and the file exists.
#[test]
fn the_first_line_names_the_trace_file() {
    let folder = Folder::new("traces");
    let is_first = |program: &mut Program, line: &str, files: &[&str]| {
        program.until("");
        assert_eq!(program.said.trim_end(), line);
        files.iter().for_each(|file| assert!(folder.0.join(file).exists(), "{file}"));
    };
    let configuration = folder.write("game.xml", &configuration(1));
    let listen = ["--listen", "127.0.0.1:0"];
    let serve = ["project", "serve", "--config", &configuration, "--http", "off"];
    let mut server = folder.start(&[&serve, &listen[..]].concat());
    is_first(&mut server, "trace files: gm.txt, cs.txt", &["gm.txt", "cs.txt"]);
    let half = ["--cs-trace-file", "off", "--trace-file", "master.txt"];
    is_first(&mut folder.start(&[&serve[..], &listen, &half].concat()), "trace file: master.txt", &["master.txt"]);
    // The old name of the option.
    let own = ["project", "cs", "--log-file", "own-cs.txt"];
    is_first(&mut folder.start(&[&own, &listen[..]].concat()), "trace file: own-cs.txt", &["own-cs.txt"]);
    let mut cs = folder.start(&[&["project", "cs", "--trace-file", "off"], &listen[..]].concat());
    let address = cs.until("listening on ");
    assert_eq!(cs.said.lines().count(), 1, "without a trace, there is no line about it: {}", cs.said);
    let master = ["project", "gm", "--config", &configuration, "--http", "off", "--connect", &address];
    let mut master = folder.start(&[&master, &["--trace-file", "own-gm.txt"][..]].concat());
    is_first(&mut master, "trace file: own-gm.txt", &["own-gm.txt"]);
    let player =
        ["project", "player", "--team", "red", "--strategy", "solo", "--connect", &server.until("listening on ")];
    is_first(&mut folder.start(&player), "trace file: player-1.txt", &["player-1.txt"]);
    let mut named = folder.start(&[&player, &["--trace-file", "own-player.txt"][..]].concat());
    is_first(&mut named, "trace file: own-player.txt", &["own-player.txt"]);
    let port = Port::reserve();
    let gone = ["--connect", &port.address().to_string(), "--attempts", "1"];
    let mut never = folder.start(&[&player[..6], &gone[..]].concat());
    is_first(&mut never, "trace file: player.txt", &["player.txt"]);
}

#[test]
fn a_player_that_is_killed_comes_back_with_its_hash() {
    let folder = Folder::new("killed");
    let (server, address) = folder.serve(1);
    let hash = "2707d2ff-e818-4ea9-be4b-fbce3486431e";
    let player = |team: &str, strategy: &str, more: &[&str]| {
        let fixed = ["project", "player", "--connect", &address, "--team", team, "--strategy", strategy];
        folder.start(&[&fixed, more].concat())
    };
    let mut lost = player("blue", "random", &["--hash", hash]);
    lost.until("player 1");
    lost.until("leads Blue");
    // This player is stopped, and the other player does nothing. So the game cannot end before the first player is back.
    let id = lost.child.id().to_string();
    assert!(Command::new("kill").args(["-STOP", &id]).status().expect("kill can be called").success());
    let mut other = Line::to(address.parse().expect("an address"), 2);
    let team = "<GameState><Setup><Request><Team>Red</Team></Request></Setup></GameState>";
    other.ask(&uuid(2, 0), team, "<Confirmation>");
    wait_until("the game begins", || other.until(&["<Start>"]).is_some());
    // Another player gets no seat, and prints the reason.
    let (code, said, complaint) = player("blue", "solo", &["--trace-file", "off"]).end();
    assert_eq!((code, said.as_str()), (Some(1), ""));
    assert!(complaint.starts_with("holdfast: refused: "), "{complaint}");

    drop(lost);
    let mut back = player("red", "solo", &["--hash", hash]);
    back.until("player 1");
    back.until("leads Blue");
    wait_until("the game is over", || other.until(&["<Reason>Success</Reason>"]).is_some());
    drop(other);
    for program in [back, server] {
        let (code, said, complaint) = program.end();
        assert_eq!((code, complaint.as_str()), (Some(0), ""), "{said}");
        assert!(said.contains("Success: "), "{said}");
    }
}

/// Two games one after the other, each with all players in one process. The page outlives them.
#[test]
fn games_in_a_row_and_a_page_that_stays() {
    let folder = Folder::new("row");
    let configuration = folder.write("game.txt", &configuration(2));
    let serve = ["project", "serve", "--config", &configuration, "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"];
    let more = ["--games", "2", "--stay", "--log", "games.log", "--trace-file", "off", "--cs-trace-file", "off"];
    let mut server = folder.start(&[&serve[..], &more[..]].concat());
    let mut names = Vec::new();
    for _ in 0..2 {
        let page = server.until("view on http://");
        names.push(page.rsplit('/').next().expect("a name").to_owned());
        let address = server.until("listening on ");
        let player = ["project", "player", "--connect", &address, "--team", "blue", "--strategy", "team"];
        let players = folder.start(&[&player[..], &["--count", "4", "--trace-file", "off"]].concat());
        let (code, said, complaint) = players.end();
        assert_eq!((code, complaint.as_str()), (Some(0), ""), "{said}");
        for number in 1..=4 {
            assert!(said.contains(&format!("player {number}\n")), "{said}");
        }
        let [blue, red] = [": in Blue", ": in Red"].map(|words| said.matches(words).count());
        assert_eq!((blue, red), (1, 1), "two lead, and the others are in both teams: {said}");
        assert!(said.lines().last().is_some_and(|line| line.starts_with("Success: ")), "{said}");
    }
    assert_ne!(names[0], names[1], "two games");
    server.until("`holdfast host --log games.log` shows the game again");
    let pages = server.until("the page stays on http://");
    let pages = pages.split(';').next().expect("an address").parse().expect("an address");
    for name in &names {
        let lines = Request::get(&format!("/api/v1/games/{name}")).send_blocking(pages).json_lines();
        assert_eq!(lines[0]["game"]["status"], "finished", "{lines:?}");
    }
    server.interrupt();
}

#[test]
fn a_whole_game_with_one_command() {
    let folder = Folder::new("demo");
    let demo = ["project", "demo", "--config", "small", "--pace", "10", "--games", "1", "--http", "127.0.0.1:0"];
    let mut demo = folder.start(&[&demo[..], &["--seed", "5", "--log", "demo.log"]].concat());
    let page = demo.until("view on http://");
    let end = demo.until("Success: ");
    assert!(end.contains("has completed all its goals"), "{end}");
    demo.until("`holdfast host --log demo.log` shows the game again");
    demo.until("the page stays on http://");
    let (address, path) = page.split_once('/').expect("a page");
    let address = address.parse().expect("an address");
    assert_eq!(Request::get(&format!("/{path}")).send_blocking(address).status, 200);
    let lines = Request::get(&format!("/api/v1/{path}/chronicle")).send_blocking(address).json_lines();
    let told: Vec<&str> = lines
        .iter()
        .flat_map(|line| line["entry"]["events"].as_array())
        .flatten()
        .filter(|event| event["step"].is_u64())
        .filter_map(|event| event["text"].as_str())
        .collect();
    assert!(told.iter().any(|text| text.starts_with("Player 1 (Blue) moves to (")), "{told:?}");
    assert!(!told.iter().any(|text| text.ends_with(" acts.")), "every action is told in words: {told:?}");
    demo.interrupt();
    assert!(!folder.0.join("gm.txt").exists(), "it leaves no traces");
    complains(&["project", "demo", "--config", "nothing"], "built-in configurations: small, duel, team, classic");
    complains(&["project", "demo", "--blue", "best"], "what works: random, solo, team");
    complains(&["project", "demo", "--pace", "0"], "--pace");
}

#[test]
fn wrong_calls() {
    let player = |more: &[&'static str]| [&["project", "player", "--trace-file", "off"], more].concat();
    complains(&player(&["--strategy", "team"]), "<--config <FILE>|--team <blue|red>>");
    complains(&player(&["--team", "blue"]), "--strategy <NAME>");
    complains(&player(&["--team", "green", "--strategy", "team"]), "what works: blue, red");
    complains(&player(&["--team", "red", "--strategy", "best"]), "what works: random, solo, team");
    complains(&player(&["--team", "red", "--strategy", "solo", "--hash", "me"]), "no UUID of version 4");
    complains(&player(&["--team", "red", "--strategy", "solo", "--costs", "jump=1"]), "what works: move, discover");
    complains(&player(&["--config", "/no/such/file", "--strategy", "solo"]), "cannot read /no/such/file");
    complains(&player(&["--team", "red", "--strategy", "solo", "--count", "0"]), "0 is not in 1..=250");
    let hash = "2707d2ff-e818-4ea9-be4b-fbce3486431e";
    complains(&player(&["--team", "red", "--strategy", "solo", "--count", "2", "--hash", hash]), "cannot be used with");
    complains(
        &["project", "player", "--trace-file", "a.txt", "--team", "red", "--strategy", "solo", "--count", "2"],
        "2 players cannot write one --trace-file; only off works",
    );
    let folder = Folder::new("wrong");
    let file =
        folder.write("player.xml", "<PlayerConfiguration><TeamPreference>Green</TeamPreference></PlayerConfiguration>");
    complains(
        &["project", "player", "--config", &file, "--strategy", "solo"],
        "<TeamPreference> is \"Green\"; what works: Blue, Red",
    );
    let port = Port::reserve();
    let gone = port.address().to_string();
    let absent = ["--connect", &gone, "--team", "red", "--strategy", "solo", "--attempts", "2", "--interval", "0"];
    complains(
        &[&["project", "player", "--trace-file", "off"], &absent[..]].concat(),
        "(2 attempts); start a Communication Server",
    );
}

#[test]
fn an_arena() {
    let play = |scenario: &str| {
        let output =
            holdfast(&["project", "arena", "--scenario", scenario, "--seeds", "3", "--strategies", "random,solo"]);
        assert!(output.status.success(), "{}", complaint(&output));
        stdout(&output)
    };
    let table = play("duel");
    assert!(table.starts_with("duel (8 x 16, 2 in a team), two games on each of the seeds 1 to 3\n"), "{table}");
    assert!(table.contains("solo - random      6     0    0  100.0 % (61.0 to 100.0)"), "{table}");
    assert_eq!(play("duel"), table, "the same everywhere");

    let folder = Folder::new("arena");
    let xml = folder.write("game.txt", &configuration(1).replace(">20<", ">0<"));
    assert!(play(&xml).contains("(6 x 12, 1 in a team)"), "a configuration of a Game Master");
    complains(&["project", "arena", "--scenario", "nothing"], "built-in configurations: small, duel, team, classic");
    complains(&["project", "arena", "--players", "1000"], "players");
    complains(&["project", "arena", "--strategies", "best"], "what works: random, solo, team");
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
