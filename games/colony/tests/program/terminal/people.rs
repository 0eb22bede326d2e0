//! People who play together with `--plain`, lose their connection or quit, come back, and claim the seats of a fork.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::{Duration, Instant},
};

use super::{HOLDFAST, Host, PATIENCE, Scratch};
use crate::port::Port;

/// A person at `holdfast play --plain`. Dropping it ends the process.
struct Person {
    process: Child,
    to: ChildStdin,
    lines: Receiver<String>,
    heard: Vec<String>,
}

impl Person {
    fn start(scratch: &Scratch, arguments: &[&str]) -> Self {
        let mut command = Command::new(HOLDFAST);
        command.arg("play").args(arguments).arg("--plain");
        Self::call(scratch, command)
    }

    fn call(scratch: &Scratch, mut command: Command) -> Self {
        command.env("XDG_STATE_HOME", &scratch.0).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the program starts");
        let to = process.stdin.take().expect("it is piped");
        let from = BufReader::new(process.stdout.take().expect("it is piped"));
        let (send, lines) = channel();
        std::thread::spawn(move || from.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Self { process, to, lines, heard: Vec::new() }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.to, "{line}").expect("the program reads its input");
    }

    /// The next line, if one is received within this time.
    fn hear(&mut self, patience: Duration) -> Option<String> {
        let line = self.lines.recv_timeout(patience).ok()?;
        self.heard.push(line.clone());
        Some(line)
    }

    fn wait_for(&mut self, text: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            match self.hear(Duration::from_millis(100)) {
                Some(line) if line.contains(text) => return line,
                Some(_) | None => {}
            }
        }
        panic!("{text:?} never comes:\n{}", self.heard.join("\n"));
    }

    /// The name of the person's game.
    fn game(&mut self) -> String {
        let line = self.wait_for("You are in game ");
        line.trim_start_matches("You are in game ").trim_end_matches('.').to_owned()
    }

    /// Answers the questions so far: takes the first two characters, and ends every turn.
    fn answer(&mut self) {
        while let Some(line) = self.hear(Duration::from_millis(5)) {
            match line.as_str() {
                "Choose two characters. The first?" => self.say("1"),
                line if line.starts_with("Who comes along") => self.say("1"),
                "Your turn. What will you do?" => self.say("9"),
                _ => {}
            }
        }
    }

    fn has_heard(&self, text: &str) -> bool {
        self.heard.iter().any(|line| line.contains(text))
    }

    /// Reads all output until the process ends. Its exit code must be 0.
    fn ends(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.lines.recv_timeout(Duration::from_millis(100)) {
                Ok(line) => self.heard.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => assert!(Instant::now() < deadline, "it goes on: {:?}", self.heard),
            }
        }
        assert!(self.process.wait().expect("it has ended").success(), "{:?}", self.heard);
    }

    /// Waits for the end. Returns the printed command that resumes the seat.
    fn way_back(&mut self) -> String {
        self.ends();
        let says = |line: &String| line.starts_with("Your seat in game ") && line.ends_with("To go back to it:");
        let at = self.heard.iter().position(says).unwrap_or_else(|| panic!("no way back: {:?}", self.heard));
        self.heard[at + 1].trim().to_owned()
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended = self.process.wait();
    }
}

/// Answers for all people until every process has printed that the game is over.
fn play_to_the_end(people: &mut [Person]) {
    let deadline = Instant::now() + PATIENCE;
    while !people.iter().all(|person| person.has_heard("The game is over: ")) {
        assert!(Instant::now() < deadline, "the game does not end: {:?}", people[0].heard);
        people.iter_mut().for_each(Person::answer);
    }
    people.iter_mut().for_each(Person::ends);
}

#[test]
fn two_people_in_one_game() {
    let scratch = Scratch::new("two-people");
    let port = Port::reserve();
    let address = port.address();
    let _host = Host::start(address, &scratch.log());
    let connect = ["--connect", &address.to_string()];
    let new = ["--new", "first-night", "--edition", "equipment", "--seed", "5", "--name", "Ana"];
    let mut ana = Person::start(&scratch, &[&connect[..], &new].concat());
    let game = ana.game();
    ana.wait_for("1 of at most 2 players are here. Start?");
    let mut bo = Person::start(&scratch, &[&connect[..], &["--game", &game, "--name", "Bo"]].concat());
    bo.wait_for(&format!("You are in game {game}."));
    let mut people = [ana, bo];
    play_to_the_end(&mut people);

    for person in &people {
        for turn in ["Ana has the turn.", "Bo has the turn."] {
            let turns = person.heard.iter().filter(|line| *line == turn).count();
            assert!(turns >= 2, "{turns} times {turn:?}: {:?}", person.heard);
        }
        assert!(!person.has_heard("Refused"), "{:?}", person.heard);
    }
    assert!(scratch.seats().is_empty(), "there is nothing to go back to");
    assert!(listed(&scratch.log(), &game).contains("\"edition\":\"equipment\""));
}

/// A person quits, is killed and is interrupted, and resumes the seat each time.
#[test]
fn back_to_the_seat() {
    let scratch = Scratch::new("back");
    let port = Port::reserve();
    let address = port.address();
    let host = Host::start(address, &scratch.log());
    let connect = ["--connect", &address.to_string()];
    let new = ["--new", "first-night", "--seed", "3", "--name", "Ana"];
    let mut ana = Person::start(&scratch, &[&connect[..], &new].concat());
    let game = ana.game();
    ana.wait_for("Start?");
    ana.say("1");
    ana.wait_for("The first?");
    ana.say("1");
    ana.wait_for("Who comes along");
    ana.say("1");
    ana.wait_for("9. End the turn");
    ana.say("q");
    let back = ana.way_back();
    assert_eq!(back, format!("{HOLDFAST} play --resume {game} --plain"));

    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec {back}")]);
    let mut ana = Person::call(&scratch, shell);
    ana.wait_for("Ana has the turn.");
    ana.wait_for("9. End the turn");
    assert!(ana.heard.len() < 40, "a reminder, and not all over again: {:?}", ana.heard);
    ana.say("9");
    ana.wait_for("Round 2 begins.");
    ana.process.kill().expect("it was there");
    ana.process.wait().expect("it has ended");

    // The host moves to another address.
    host.kill();
    let elsewhere = Port::reserve();
    let address = elsewhere.address();
    let _host = Host::start(address, &scratch.log());
    let mut ana = Person::start(&scratch, &["--resume", "--connect", &address.to_string()]);
    assert_eq!(ana.game(), game);
    ana.wait_for("9. End the turn");
    let pid = ana.process.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill can be called").success());
    assert_eq!(ana.way_back(), back);

    let mut ana = Person::start(&scratch, &["--resume", &game]);
    assert_eq!(scratch.seats().len(), 1);
    play_to_the_end(std::slice::from_mut(&mut ana));
    assert!(scratch.seats().is_empty(), "there is nothing to go back to");
}

/// A game of two bots is forked in the middle, and people take the seats.
#[test]
fn seats_of_a_fork() {
    let scratch = Scratch::new("fork-seats");
    let port = Port::reserve();
    let address = port.address();
    let host = Host::start(address, &scratch.log());
    let connect = ["--connect", &address.to_string()];
    let bots = ["--new", "first-night", "--count", "2", "--seed", "7"];
    let played = Command::new(HOLDFAST).arg("bot").args(connect).args(bots).output().expect("the program starts");
    assert!(played.status.success(), "{played:?}");
    let said = String::from_utf8_lossy(&played.stdout).into_owned();
    let parent = said.lines().find_map(|line| line.strip_prefix("in game ")).expect("its name");
    host.kill();
    let log = scratch.log();
    let forked = Command::new(HOLDFAST).args(["log", "fork"]).arg(&log).args([parent, "--at", "6"]).output();
    assert!(forked.expect("the program starts").status.success());
    let _host = Host::start(address, &log);

    let mut late = Person::start(&scratch, &connect);
    let fork = late.game();
    assert_ne!(fork, parent);
    late.wait_for("You cannot join: ");
    assert!(late.heard.last().is_some_and(|line| line.contains("--seat N")), "{:?}", late.heard);
    late.ends();
    assert!(scratch.seats().is_empty(), "there is nothing to go back to");

    let claim = |seat: &str| Person::start(&scratch, &[&connect[..], &["--seat", seat]].concat());
    let mut people = [claim("0"), claim("1")];
    people.iter_mut().for_each(|person| assert_eq!(person.game(), fork));
    assert_eq!(scratch.seats().len(), 2);
    play_to_the_end(&mut people);
}

/// The JSON line of `holdfast log list` for a game.
fn listed(log: &Path, game: &str) -> String {
    let output = Command::new(HOLDFAST).args(["log", "list", "--json"]).arg(log).output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().find(|line| line.contains(game)).expect("the game").to_owned()
}
