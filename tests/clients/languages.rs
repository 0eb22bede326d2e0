//! Bots in Python, Java, TypeScript and Rust in the same games, all through offers: each is the starter of its folder, or `bot` of
//! the host's own program. None of them knows the rules.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
};

use serde_json::{Value, json};

use crate::{built_typescript, java, python};

/// The programs of all languages, and a host.
struct Players {
    classes: &'static java::Classes,
    typescript: &'static Path,
    /// The program of the host.
    program: PathBuf,
    address: String,
    rulebook: &'static str,
    log: String,
    _host: Process,
    folder: PathBuf,
}

const LANGUAGES: [&str; 4] = ["Python", "Java", "TypeScript", "Rust"];

#[cfg(feature = "crazyhouse")]
#[test]
fn crazyhouse() {
    let Some(players) = Players::start(env!("CARGO_BIN_EXE_holdfast").into(), "crazyhouse") else { return };
    // Each language makes a game for each other one. The first to join has the choice of sides.
    let mut sides = Vec::new();
    for (number, pair) in pairs().into_iter().enumerate() {
        let names = players.play(&pair, number);
        assert!(names.len() == 2 && pair.iter().all(|name| names.contains(&(*name).to_owned())), "{names:?}");
        sides.extend(names.into_iter().enumerate());
    }
    for side in 0..2 {
        for language in LANGUAGES {
            assert!(sides.contains(&(side, language.to_owned())), "{language} never had side {side}: {sides:?}");
        }
    }
}

/// Four seats, and hands that others must not see.
#[test]
fn highcard() {
    let Some(programs) = std::env::var_os("HOLDFAST_EXAMPLES").map(PathBuf::from) else {
        writeln!(std::io::stderr(), "highcard in four languages: only with `cargo xtask test examples`")
            .expect("stderr is there");
        return;
    };
    let Some(players) = Players::start(programs.join("highcard"), "highcard") else { return };
    for first in 0..LANGUAGES.len() {
        let mut order = LANGUAGES;
        order.rotate_left(first);
        // They join in this order, so each language has each seat once.
        assert_eq!(players.play(&order, first), order);
    }
}

/// All ordered pairs of languages.
fn pairs() -> Vec<[&'static str; 2]> {
    let pairs = LANGUAGES.into_iter().flat_map(|first| LANGUAGES.map(|second| [first, second]));
    pairs.filter(|[first, second]| first != second).collect()
}

impl Players {
    fn start(program: PathBuf, rulebook: &'static str) -> Option<Self> {
        let (classes, typescript) = (java::built()?, built_typescript::built()?);
        if !python::is_there() {
            return None;
        }
        let folder = std::env::temp_dir().join(format!("holdfast-languages-{rulebook}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let log = folder.join("games.log").display().to_string();
        let mut host = Command::new(&program);
        // Bots are faster than people: they ask for offers after each move.
        host.args(["host", "--listen", "127.0.0.1:0", "--http", "off", "--messages-per-second", "100000"]);
        let mut host = Process::start(host.args(["--log", &log]));
        let address = host.line_after(|line| line.strip_prefix("listening on "));
        Some(Self { classes, typescript, program, address, rulebook, log, _host: host, folder })
    }

    /// Plays a game to its end; the first player creates it, and they join in this order. Returns the names of the players by their
    /// seats.
    fn play(&self, languages: &[&'static str], seed: usize) -> Vec<String> {
        let mut running: Vec<Process> = Vec::new();
        let mut game: Option<String> = None;
        for language in languages {
            let mut bot = self.bot(language);
            bot.args([
                "--rulebook",
                self.rulebook,
                "--connect",
                &self.address,
                "--name",
                language,
                "--seed",
                &(100 + seed).to_string(),
            ]);
            match &game {
                Some(game) => bot.args(["--game", game]),
                None => bot.args(["--new", "standard"]),
            };
            let mut process = Process::start(&mut bot);
            // The starters say `NAME plays GAME`, and the program says `in game GAME`.
            let said = process
                .line_after(|line| line.split_once(" plays ").map(|(_, game)| game).or(line.strip_prefix("in game ")));
            game.get_or_insert(said);
            self.wait_for(game.as_deref().expect("a game"), running.len() + 1);
            running.push(process);
        }
        for (mut process, language) in running.into_iter().zip(languages) {
            assert!(process.0.wait().expect("it ends").success(), "{language}");
        }
        let listed =
            Command::new(&self.program).args(["log", "list", &self.log, "--json"]).output().expect("it starts");
        let listed = String::from_utf8(listed.stdout).expect("text");
        let games = listed.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let played = games.into_iter().find(|row| row["name"].as_str() == game.as_deref()).expect("the game");
        assert_eq!(played["status"], "finished", "{played}");
        let names = played["players"].as_array().expect("a list");
        names.iter().map(|name| name.as_str().expect("a name").to_owned()).collect()
    }

    /// A bot of this language that plays any game, without its arguments.
    fn bot(&self, language: &str) -> Command {
        match language {
            "Python" => {
                let mut bot = Command::new("python3");
                bot.args(["-B", &format!("{}/examples/bot.py", python::SHARED)]);
                bot.env("PYTHONPATH", format!("{}/src", python::SHARED));
                bot
            }
            "Java" => {
                let mut bot = Command::new("java");
                bot.args(["-cp", &self.classes.path(), "OfferBot"]);
                bot
            }
            "TypeScript" => {
                let mut bot = Command::new("node");
                bot.arg(self.typescript.join("bot.js"));
                bot
            }
            _ => {
                let mut bot = Command::new(&self.program);
                bot.arg("bot");
                bot
            }
        }
    }

    /// Waits until a game has so many players, or is over.
    fn wait_for(&self, game: &str, players: usize) {
        loop {
            let mut stream = TcpStream::connect(&self.address).expect("the host is there");
            let hello = json!({"hello": {"protocol": 3, "want": "list"}});
            stream.write_all(format!("{hello}\n").as_bytes()).expect("sent");
            let mut line = String::new();
            BufReader::new(stream).read_line(&mut line).expect("an answer");
            let games: Value = serde_json::from_str(&line).expect("JSON");
            let found = games["games"].as_array().expect("a list").iter().find(|row| row["game"] == game);
            if found.is_none_or(|row| row["players"].as_array().is_some_and(|names| names.len() >= players)) {
                return;
            }
            thread::yield_now();
        }
    }
}

impl Drop for Players {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.folder);
    }
}

/// A process that is killed when this value is dropped.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Self {
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        Self(child.unwrap_or_else(|error| panic!("{command:?}: {error}")))
    }

    /// What `find` finds in the first line in which it finds something. A thread reads the other output, so that the process never
    /// blocks.
    fn line_after(&mut self, find: impl Fn(&str) -> Option<&str>) -> String {
        let mut lines = BufReader::new(self.0.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
        let found = lines.find_map(|line| find(&line).map(ToOwned::to_owned));
        thread::spawn(move || lines.for_each(drop));
        found.unwrap_or_else(|| panic!("it never says it"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _ended = self.0.wait();
    }
}
