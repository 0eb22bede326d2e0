//! Servers of other authors: the plain server in Python, the small servers of the libraries in Python and Java, and the page for authors.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::atomic::{AtomicU16, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use systemtests::{files, games};

use super::folder::Folder;

const PAGE: &str = include_str!("../../../../../docs/put-your-server-under-test.md");

pub(super) fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the project is there")
}

/// Whether a program can be called; in a full test run it must be.
pub(super) fn is_there(program: &str, argument: &str) -> bool {
    let found = Command::new(program).arg(argument).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    assert!(found || std::env::var_os("HOLDFAST_CI").is_none(), "no {program} here, and HOLDFAST_CI asks for it");
    if !found {
        writeln!(std::io::stderr(), "skipped: no {program} here").expect("stderr is there");
    }
    found
}

/// Runs scripts of colony against a server.
fn systest(server: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let scripts = project().join("games/colony/scripts");
    let python =
        ["clients/python/src", "games/colony/python/src"].map(|path| project().join(path).display().to_string());
    let output: Output = Command::new(env!("CARGO_BIN_EXE_systest"))
        .arg("run")
        .arg(scripts)
        .args(["--server", server, "--jobs", "4", "--patience", "120"])
        .args(arguments)
        .env("PYTHONPATH", python.join(":"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("it starts");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The part of the suite that the small servers play, as the page says.
const PART: [&str; 4] = ["--tag", "registration", "--without-tag", "turns"];
/// The number of scripts in this part.
const SCRIPTS: usize = 28;

fn options() -> &'static str {
    "--config {config} --port {port} --seed {seed} --timeout {timeout} --edition {edition}"
}

#[test]
fn the_small_server_in_python() {
    if !is_there("python3", "--version") {
        return;
    }
    let server = project().join("games/colony/python/examples/toy_server.py");
    let (code, said) = systest(&format!("python3 {} {}", server.display(), options()), &PART);
    assert_eq!((code, said), (Some(0), format!("{SCRIPTS} passed, 0 failed\n")));
}

#[test]
fn the_small_server_in_java() {
    if !(is_there("javac", "-version") && is_there("java", "-version")) {
        return;
    }
    let folder = Folder::new();
    let classes = java_classes(&folder);
    let server = format!("java -XX:TieredStopAtLevel=1 -cp {classes} ToyServer {}", options());
    let (code, said) = systest(&server, &PART);
    assert_eq!((code, said), (Some(0), format!("{SCRIPTS} passed, 0 failed\n")));
}

/// Compiles the Java library, colony's classes and examples.
pub(super) fn java_classes(folder: &Folder) -> String {
    let sources = ["clients/java/src", "games/colony/java/src", "games/colony/java/examples"].map(|path| {
        let path = project().join(path);
        let listed = Command::new("find").arg(path).args(["-name", "*.java"]).output().expect("find is there");
        String::from_utf8(listed.stdout).expect("UTF-8")
    });
    let sources: Vec<&str> = sources.iter().flat_map(|list| list.lines()).collect();
    let classes = folder.path("classes").display().to_string();
    let built = Command::new("javac").args(["-d", &classes]).args(sources).output().expect("it starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    classes
}

fn plain_server(form: &str) -> String {
    let server = project().join("games/colony/tests/program/systest/plain_server.py");
    format!(
        "python3 {} {form} --config {{config}} --port {{port}} --seed {{seed}} --edition {{edition}}",
        server.display()
    )
}

/// The server says `CommandFailed` with a text or nothing, and its events by position. It opens its port before it reads the scenario.
/// A range of few ports is enough.
#[test]
fn a_plain_server() {
    if !is_there("python3", "--version") {
        return;
    }
    let part = [&PART[..], &["--without-tag", "malformed", "--without-tag", "timeouts"]].concat();
    let ports = free_ports(6);
    for form in ["text", "name", "object", "empty"] {
        let (code, said) = systest(&plain_server(form), &[&part[..], &["--ports", &ports]].concat());
        assert_eq!((code, said.as_str()), (Some(0), "23 passed, 0 failed\n"), "{form}");
    }
}

/// A range of ports that are free now, another one at each call.
fn free_ports(count: u16) -> String {
    static CALLS: AtomicU16 = AtomicU16::new(0);
    let is_free = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok();
    let from = 14_000 + (std::process::id() % 2_000) as u16 + 100 * CALLS.fetch_add(1, Ordering::Relaxed);
    let first = (from..19_000).find(|&first| (first..first + count).all(is_free)).expect("free ports");
    format!("{first}-{}", first + count - 1)
}

/// A server may open its port first, and refuse the scenario after it, with its own words.
#[test]
fn a_late_refusal() {
    if !is_there("python3", "--version") {
        return;
    }
    let folder = Folder::new();
    let script = "name: refused\nedition: group\nscenario: {\"maxPlayers\": 2}\nseed: 1\n\nserver refuses \"`goal` is missing\"\n";
    folder.write("t.script", script);
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_systest"));
        let (file, server) = (folder.path("t.script"), plain_server("text"));
        let output = command.arg("run").arg(file).args(["--server", &server, "--patience", "120"]).args(more).output();
        let output = output.expect("it starts");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, said) = run(&["--refusal-time", "60"]);
    assert!(
        code == Some(1)
            && said.contains(
                "the server should say \"`goal` is missing\" (--any-words accepts other words): exit status: 1"
            ),
        "{said}"
    );
    assert_eq!(run(&["--refusal-time", "60", "--any-words"]), (Some(0), "1 passed, 0 failed\n".into()));
    let (code, said) = run(&["--refusal-time", "0", "--any-words"]);
    assert!(code == Some(1) && said.contains("and should refuse it: it still runs 0ns after that"), "{said}");
}

/// Every script with a malformed command has the tag, and no other one has it.
#[test]
fn malformed_commands_are_tagged() {
    let scripts = files::find(&project().join("games/colony/scripts"), &games());
    let mut tagged = 0;
    for found in &scripts {
        let script = found.script.as_ref().expect("it can be read");
        let calls = script.transcript.steps.iter().filter_map(|step| match step {
            script::Step::Send { call, .. } => Some(call),
            script::Step::Expect { .. } | script::Step::Silence { .. } => None,
        });
        let is_malformed = calls.into_iter().any(|call| script.game.check_command(call).is_err());
        let has_tag = script.transcript.tags.iter().any(|tag| tag == "malformed");
        assert_eq!(is_malformed, has_tag, "{}", found.place);
        tagged += usize::from(has_tag);
    }
    assert!(tagged > 20, "{tagged}");
}

/// A block of the page.
fn blocks(kind: &str) -> Vec<&'static str> {
    let start = format!("```json {kind}\n");
    PAGE.split(&start).skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect()
}

/// Every form of an event on the page is read as the page says.
#[test]
fn events_of_the_page() {
    let colony = games().find(Some("colony")).expect("colony has scripts");
    let rows: Vec<&str> = blocks("events").into_iter().flat_map(str::lines).collect();
    assert_eq!(rows.len(), 14);
    for row in rows {
        let (bytes, meaning) = row.rsplit_once(" = ").expect("a meaning");
        let message: Value = serde_json::from_str(bytes).expect("JSON");
        let event =
            systemtests::received_event(colony, &message["event"]).unwrap_or_else(|error| panic!("{row}: {error}"));
        let call = event.call("");
        let line = call.arguments.iter().filter(|value| !value.is_null()).map(|value| format!(" {value}"));
        assert_eq!(format!("{}{}", call.name, line.collect::<String>()), meaning, "{row}");
    }
}

/// What is not an event is refused with words that help.
#[test]
fn forms_that_are_no_events() {
    let colony = games().find(Some("colony")).expect("colony has scripts");
    for (event, words) in [
        (json!("Danced"), "no message has this name"),
        (json!(["Moved"]), "wrong number of arguments; it is Moved"),
        (json!(["Moved", "x", 20]), "invalid type"),
        (json!(["CommandFailed", 7]), "CommandFailed has one text or none"),
        (json!({"CommandFailed": {"code": 7}}), "missing field `refusal`"),
        (json!(7), "an event is {\"Moved\""),
        (json!({"Left": 0, "Moved": [1, 2]}), "an event is {\"Moved\""),
    ] {
        let error = systemtests::received_event(colony, &event).expect_err("it is none").to_string();
        assert!(error.contains(words), "{event}: {error}");
    }
}

/// The conversation of the page, with the bytes that a real server sends.
#[test]
fn the_conversation_of_the_page() {
    if !is_there("python3", "--version") {
        return;
    }
    let scenario = project().join("games/colony/scripts/scenarios/trio.json");
    let text = fs::read_to_string(&scenario).expect("the scenario is there");
    let ports = free_ports(1);
    let port = ports.split('-').next().expect("a port");
    let command = plain_server("text")
        .replace("{config}", &scenario.display().to_string())
        .replace("{port}", port)
        .replace("{seed}", "1")
        .replace("{edition}", "group");
    let words: Vec<&str> = command.split_whitespace().collect();
    let mut server = Command::new(words[0]);
    server.args(&words[1..]).env("PYTHONDONTWRITEBYTECODE", "1");
    let _server = Ended(server.spawn().expect("it starts"));
    let mut clients: Vec<(&str, TcpStream, BufReader<TcpStream>)> = Vec::new();
    let mut seen = 0;
    for line in blocks("session").into_iter().flat_map(str::lines) {
        let (who, rest) = line.split_once(' ').expect("a client");
        let at = clients.iter().position(|(name, ..)| *name == who).unwrap_or_else(|| {
            let stream = connect(port);
            clients.push((who, stream.try_clone().expect("a socket"), BufReader::new(stream)));
            clients.len() - 1
        });
        let (_, to, from) = &mut clients[at];
        match rest.split_at(2) {
            ("> ", sent) => to.write_all(format!("{sent}\n").as_bytes()).expect("it reads"),
            ("< ", expected) => {
                let mut came = String::new();
                from.read_line(&mut came).expect("an answer");
                let scenario = json!(text).to_string();
                let ascii = ascii_only(&scenario);
                assert_eq!(came, expected.replace("$SCENARIO", &ascii) + "\n");
                seen += 1;
            }
            _ => panic!("{line}"),
        }
    }
    assert_eq!(seen, 11);
}

/// Python writes other characters as escapes.
fn ascii_only(text: &str) -> String {
    let mut written = String::new();
    for letter in text.chars() {
        if letter.is_ascii() {
            written.push(letter);
        } else {
            let mut units = [0; 2];
            letter.encode_utf16(&mut units).iter().for_each(|unit| written.push_str(&format!("\\u{unit:04x}")));
        }
    }
    written
}

fn connect(port: &str) -> TcpStream {
    let since = Instant::now();
    loop {
        match TcpStream::connect(format!("127.0.0.1:{port}")) {
            Ok(stream) => {
                stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a time");
                return stream;
            }
            Err(error) if since.elapsed().as_secs() > 120 => panic!("{error}"),
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// A process that is killed when this value is dropped.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _ended = self.0.wait();
    }
}
