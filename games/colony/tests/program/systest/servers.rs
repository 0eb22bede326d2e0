//! The runner against faulty servers, each a real process with one fault: the verdict, and its message.

use std::{fs, net::Ipv4Addr, process::Command, time::Instant};

use tokio::net::TcpSocket;

use super::folder::Folder;

const SCRIPT: &str = "\
name: too early
edition: group
scenario: first-night
seed: 7
players: Ana

Ana: StartGame
  Ana: CommandFailed
";

/// Runs a script against a server with a fault. Returns the exit code and the output.
fn run(fault: &str, script: &str, more: &[&str]) -> (Option<i32>, String) {
    let folder = Folder::new();
    folder.write("t.script", script);
    let server = format!("{} {fault} {{port}}", env!("CARGO_BIN_EXE_faulty-server"));
    let output = Command::new(env!("CARGO_BIN_EXE_systest"))
        .arg("run")
        .arg(folder.path("t.script"))
        .args(["--server", &server, "--patience", patience(fault)])
        .args(more)
        .output()
        .expect("it starts");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

/// The value of `--patience` in seconds. For a fault that must time out, it is short, but longer than a start on a busy
/// machine. For the others it is never reached.
fn patience(fault: &str) -> &'static str {
    if ["hangs", "never-stops", "opens-no-port"].contains(&fault) { "8" } else { "300" }
}

#[track_caller]
fn check(fault: &str, script: &str, verdict: &str, words: &[&str]) {
    let (code, text) = run(fault, script, &[]);
    assert!(text.starts_with(&format!("{verdict} too early (")), "{text}");
    for words in words {
        assert!(text.contains(words), "{text}\ndoes not say\n{words}");
    }
    assert!(text.ends_with(&format!("1 {verdict}\n0 passed, 1 failed\n")), "{text}");
    assert_eq!(code, Some(1));
}

#[test]
fn an_honest_server() {
    assert_eq!(run("none", SCRIPT, &[]), (Some(0), "1 passed, 0 failed\n".into()));
}

/// An unknown placeholder in the server command is an error, and a missing `{edition}` is a warning.
#[test]
fn placeholders() {
    let folder = Folder::new();
    folder.write("t.script", SCRIPT);
    let said = |more: &str| {
        let server = format!("{} none {{port}} {more}", env!("CARGO_BIN_EXE_faulty-server"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_systest"));
        let output = command.arg("run").arg(folder.path("t.script")).args(["--server", &server]).output();
        let output = output.expect("it starts");
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    let warning = "systest: the scripts are for the edition group, and the server command has no {edition}: the server must know it by itself\n";
    assert_eq!(said(""), (Some(0), warning.into()));
    assert_eq!(said("{edition} {\"a\":1}"), (Some(0), String::new()));
    let (code, said) = said("{sed}");
    let words = "{sed} is not a placeholder; there are {config}, {port}, {seed}, {timeout}, {edition}";
    assert!(code == Some(2) && said.contains(words), "{said}");
}

#[test]
fn a_wrong_expectation() {
    let wrong = SCRIPT.replace("Ana: CommandFailed", "Ana: GameStarted");
    let words = "t.script:8: Ana: GameStarted
  Ana received something else
    expected: GameStarted
    came:     CommandFailed \"No.\"
    this line would match:
        Ana: CommandFailed
    Ana received nothing before
    after Ana: StartGame
";
    check("none", &wrong, "FAIL", &[words]);
    let more = format!("{SCRIPT}  Ana: GameStarted\n");
    let words = "    came:     nothing
    this line would match:
        Ana: nothing more
    Ana received before:
        CommandFailed \"No.\"
";
    check("none", &more, "FAIL", &["t.script:9: Ana: GameStarted", words]);
}

#[test]
fn crashes() {
    let words = "the server crashed in the middle of the game: exit status: 101; its standard error:
  thread main panicked at rules.rs:7";
    check("crashes", SCRIPT, "SERVER_FAIL", &["t.script:7: Ana: StartGame", words]);
    let words = "the server ended before the game began: exit status: 3; its standard error:
  java.lang.NullPointerException: at Main.main";
    check("crashes-at-start", SCRIPT, "SERVER_FAIL", &[words]);
}

#[test]
fn hangs() {
    let words = "the server hangs: a client has waited 8s for the pong to its ping. Does the server answer every ping?";
    let since = Instant::now();
    check("hangs", SCRIPT, "TIME_OUT", &["t.script:7: Ana: StartGame", words]);
    assert!(since.elapsed().as_secs() < 500, "it waits for its patience and not for the server");
    check("never-stops", SCRIPT, "TIME_OUT", &[words]);
    check("opens-no-port", SCRIPT, "SERVER_FAIL", &["the server runs, but has not opened its port: port ", "after 8s"]);
}

#[test]
fn garbage() {
    let words = "the server sent something that is not a message: \"HTTP/1.1 400 Bad Request\"
  each line is one JSON object, like {\"pong\":1}";
    check("sends-garbage", SCRIPT, "PROTOCOL_ERROR", &["t.script:7: Ana: StartGame", words]);
    let words = "the server sent an event that colony does not have: ";
    check("sends-strangers", SCRIPT, "PROTOCOL_ERROR", &[words, "Danced"]);
}

/// A server that sends without end does not fill the memory of the runner.
#[test]
fn floods() {
    check(
        "floods",
        SCRIPT,
        "PROTOCOL_ERROR",
        &["the server floods a client: 20001 events", "before the pong to its ping"],
    );
}

/// A script that expects a refusal with a text does not accept one without it.
#[test]
fn speechless() {
    check("is-speechless", SCRIPT, "FAIL", &["expected: CommandFailed", "came:     CommandFailed \"\""]);
}

#[test]
fn a_scenario_that_should_be_refused() {
    let refused =
        SCRIPT.split("\nAna:").next().expect("a header").to_owned() + "\nserver refuses with 3 \"NullPointer\"\n";
    assert_eq!(run("crashes-at-start", &refused, &[]).0, Some(0));
    check(
        "crashes-at-start",
        &refused.replace("with 3", "with 1"),
        "FAIL",
        &["should end with exit code 1: exit status: 3"],
    );
    check(
        "crashes-at-start",
        &refused.replace("NullPointer", "maxPlayers"),
        "FAIL",
        &["should say \"maxPlayers\" (--any-words accepts other words): exit"],
    );
    let words = "the server accepts the scenario and opens its port, and should refuse it: it still runs 2s after that";
    check("none", &refused, "FAIL", &[words]);
    check("opens-no-port", &refused, "TIME_OUT", &["the server neither opens its port nor ends, after 8s"]);
}

/// The runner creates a game on a server that already runs.
#[test]
fn a_running_host() {
    let folder = Folder::new();
    folder.write("t.script", SCRIPT);
    // The port stays reserved until the server binds it. Both sockets allow their address to be reused.
    let kept = TcpSocket::new_v4().expect("a socket");
    kept.set_reuseaddr(true).and_then(|()| kept.bind((Ipv4Addr::LOCALHOST, 0).into())).expect("a port");
    let port = kept.local_addr().expect("an address").port();
    let systest = || {
        let address = format!("127.0.0.1:{port}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_systest"));
        let output = command.arg("run").arg(folder.path("t.script")).args(["--connect", &address]).output();
        String::from_utf8(output.expect("it starts").stdout).expect("UTF-8")
    };
    let no_server = format!("no connection to 127.0.0.1:{port}: Connection refused");
    let said = systest();
    assert!(said.contains(&no_server) && said.contains("start one with `holdfast host`"), "{said}");

    let mut host =
        Command::new(env!("CARGO_BIN_EXE_faulty-server")).args(["none", &port.to_string()]).spawn().expect("it starts");
    let since = Instant::now();
    let said = loop {
        let said = systest();
        if !said.contains(&no_server) || since.elapsed().as_secs() > 300 {
            break said;
        }
    };
    host.kill().and_then(|()| host.wait()).expect("it was there");
    assert_eq!(said, "1 passed, 0 failed\n");
}

#[test]
fn ten_crashes_are_enough() {
    let (code, text) = run("crashes-at-start", SCRIPT, &["--repeat", "30", "--jobs", "1"]);
    assert_eq!(code, Some(1));
    let stopped = "stopped: 10 servers crashed or did not start; 20 scripts were not played (--keep-going plays them)";
    assert!(text.contains(stopped), "{text}");
    assert!(text.ends_with("10 SERVER_FAIL\n0 passed, 10 failed\n"), "{text}");
    let (code, text) = run("crashes-at-start", SCRIPT, &["--repeat", "13", "--jobs", "1", "--keep-going"]);
    assert_eq!(code, Some(1));
    assert!(!text.contains("stopped") && text.ends_with("13 SERVER_FAIL\n0 passed, 13 failed\n"), "{text}");
}

/// When the runner receives SIGTERM, it kills its servers.
#[test]
fn no_server_is_left_behind() {
    let folder = Folder::new();
    folder.write("t.script", SCRIPT);
    let server = format!("{} hangs {{port}}", env!("CARGO_BIN_EXE_faulty-server"));
    let mut systest = Command::new(env!("CARGO_BIN_EXE_systest"))
        .arg("run")
        .arg(folder.path("t.script"))
        .args(["--server", &server, "--patience", "600"])
        .spawn()
        .expect("it starts");
    let children = || -> Vec<String> {
        let listed = Command::new("pgrep").args(["-P", &systest.id().to_string()]).output().expect("pgrep is there");
        String::from_utf8_lossy(&listed.stdout).split_whitespace().map(str::to_owned).collect()
    };
    let since = Instant::now();
    let children = loop {
        let now = children();
        if !now.is_empty() {
            break now;
        }
        assert!(since.elapsed().as_secs() < 300, "a server is started");
    };
    // The runner handles the signal before it starts the first server.
    let asked = Command::new("kill").args(["-TERM", &systest.id().to_string()]).status().expect("kill can be called");
    assert!(asked.success());
    assert_eq!(systest.wait().expect("it ends").code(), Some(130));
    for child in children {
        let killed = Instant::now();
        loop {
            let state = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
            // The server is gone or a zombie. systest kills it before it ends, but the exit takes a moment.
            if state.is_empty() || state.contains(") Z ") {
                break;
            }
            assert!(killed.elapsed().as_secs() < 300, "{state}");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}
