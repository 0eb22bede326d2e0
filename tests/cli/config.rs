//! The configuration file of a host, its environment, and what comes first.

use std::{fs, path::PathBuf, process::Command};

use crate::stdout;

/// A file of a test. Dropping it deletes it.
struct File(PathBuf);

impl File {
    fn new(test: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("holdfast-config-{test}-{}.toml", std::process::id()));
        fs::write(&path, text).expect("a file");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _gone_already = fs::remove_file(&self.0);
    }
}

/// The lines of `--print-config` that are no comments, or the error with FILE for the path.
fn effective(file: &File, environment: &[(&str, &str)], words: &[&str]) -> Result<Vec<String>, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    command.args(["host", "--config", file.path(), "--print-config"]).args(words);
    let output = command.envs(environment.iter().copied()).output().expect("the program starts");
    if output.status.success() {
        let lines = stdout(&output);
        return Ok(lines
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(str::to_owned)
            .collect());
    }
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    Err(String::from_utf8_lossy(&output.stderr).replace(file.path(), "FILE"))
}

#[test]
fn the_command_line_then_the_environment_then_the_file() {
    let file = File::new(
        "order",
        "listen = \"127.0.0.1:1\"\nconnections = 7\nhost-name = [\"a.example\", \"b.example\"]\nverbose = 2\n",
    );
    let check = |environment: &[(&str, &str)], words: &[&str], expected: &[&str]| {
        assert_eq!(effective(&file, environment, words), Ok(expected.iter().map(ToString::to_string).collect()));
    };
    let names = "host-name = [\"a.example\", \"b.example\"]";
    check(&[], &[], &["listen = \"127.0.0.1:1\"", "connections = 7", names, "verbose = 2"]);
    let variable = [("HOLDFAST_LISTEN", "127.0.0.1:2"), ("HOLDFAST_HTTP", "off")];
    check(&variable, &[], &["listen = \"127.0.0.1:2\"", "http = \"off\"", "connections = 7", names, "verbose = 2"]);
    let words = ["--listen=127.0.0.1:3", "--host-name", "c.example", "-v"];
    check(
        &variable,
        &words,
        &[
            "listen = \"127.0.0.1:3\"",
            "http = \"off\"",
            "connections = 7",
            "host-name = [\"c.example\"]",
            "verbose = 1",
        ],
    );
}

/// What is printed is a configuration with the same effect, without secrets.
#[test]
fn a_printed_configuration_can_be_read_again() {
    let token = "a token that is not shown";
    let text = format!("admin-token = \"{token}\"\nstore = \"postgres://u:geheim@h/d\"\ntls-self-signed = true\n");
    let file = File::new("again", &text);
    let output = crate::holdfast(&["host", "--config", file.path(), "--print-config"]);
    let printed = stdout(&output);
    assert!(!printed.contains(token) && !printed.contains("geheim"), "{printed}");
    assert!(printed.contains("# admin-token is set"), "{printed}");
    assert!(printed.contains("\n# connections-per-address = 1000\n"), "defaults are comments: {printed}");
    let again = File::new("again-2", &printed);
    let whole = effective(&file, &[], &[]).expect("a configuration");
    assert_eq!(effective(&again, &[], &[]), Ok(whole));
}

#[test]
fn wrong_files_are_refused_with_their_line() {
    let check = |text: &str, complaint: &str| {
        let said = effective(&File::new("wrong", text), &[], &[]).expect_err(text);
        assert!(said.contains(complaint), "{text}: {said}");
    };
    check("\nlisten = \"x\n", "FILE:2: ");
    check("# comment\nlisen = \"127.0.0.1:1\"\n", "FILE:2: unknown key `lisen`; the keys are listen, http, ");
    check("listen = \"127.0.0.1:1\"\nconnections = \"many\"\n", "FILE:2: invalid value 'many' for '--connections <N>'");
    check("durability = \"some\"\n", "[possible values: full, normal, none]");
    check("messages-per-second = 0\n", "FILE:1: ");
    check("connections = [1]\n", "FILE:1: `connections` is a text or a number");
    check("tls-self-signed = 1\n", "FILE:1: `tls-self-signed` is true or false");
    check("[listen]\na = 1\n", "FILE:1: `listen` is a text or a number");
    check("tls-cert = \"x\"\n", "--tls-key");
    let missing = crate::holdfast(&["host", "--config", "/nonexistent/host.toml"]);
    let said = String::from_utf8_lossy(&missing.stderr);
    assert!(said.contains("cannot read /nonexistent/host.toml"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_token_comes_from_a_file() {
    use std::os::unix::fs::PermissionsExt;

    let token = File::new("token", "a-secret-of-the-operator\n");
    let set = |mode| fs::set_permissions(&token.0, fs::Permissions::from_mode(mode)).expect("permissions");
    let words = ["host", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--admin-token-file", token.path()];
    set(0o644);
    crate::complains(&words, "has the permissions 644");
    set(0o600);
    fs::write(&token.0, "15 letters long").expect("a file");
    crate::complains(&words, "has fewer than 16 characters");
    fs::write(&token.0, "a-secret-of-the-operator\n").expect("a file");
    crate::complains(&[&words[..], &["--admin-token", "another secret of hers"]].concat(), "cannot be used with");
    let host = crate::host::HostProcess::start(&words[5..]);
    let made = testkit::Request::post_json("/api/v1/games", "{}").header("authorization", "Bearer wrong");
    assert_eq!(made.send_blocking(host.http).status, 401);
    let made =
        testkit::Request::post_json("/api/v1/games", "{}").header("authorization", "Bearer a-secret-of-the-operator");
    assert_ne!(made.send_blocking(host.http).status, 401);
    host.stop();
}
