//! The command `holdfast account`, on the store of a host that runs.

use std::{fs, net::TcpStream, path::PathBuf};

use serde_json::{Value, json};
use testkit::{Request, Response};

use crate::{
    complains, holdfast,
    host::{HostProcess, Lines, connect},
    stdout, wait_until,
};

/// A folder that is deleted with this value.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

fn post(host: &HostProcess, path: &str, body: &Value) -> Response {
    Request::post_json(path, body.to_string()).send_blocking(host.http)
}

fn sign_in(host: &HostProcess, password: &str) -> u16 {
    post(host, "/api/v1/sign-in", &json!({"name": "Ana", "password": password})).status
}

#[test]
fn accounts_of_a_running_host() {
    let folder = Folder(std::env::temp_dir().join(format!("holdfast-accounts-{}", std::process::id())));
    fs::create_dir_all(&folder.0).expect("a folder");
    let store = folder.0.join("games.db");
    let store = store.to_str().expect("UTF-8");
    let words = folder.0.join("words.txt");
    fs::write(&words, "# not here\nweed\n").expect("a file");
    let words = words.to_str().expect("UTF-8");
    let host = HostProcess::start(&["--store", store, "--accounts", "required", "--chat-words", words]);
    let account = |arguments: &[&str]| {
        let output = holdfast(&[&["account"], arguments, &["--store", store]].concat());
        assert!(output.status.success(), "{output:?}");
        stdout(&output)
    };
    assert_eq!(account(&["list"]), "");
    let registered = post(&host, "/api/v1/register", &json!({"name": "Ana", "password": "correct horse"}));
    assert_eq!(registered.status, 201, "{registered:?}");
    let listed: Value = serde_json::from_str(&account(&["list", "--json"])).expect("a line of JSON");
    assert_eq!((&listed["name"], &listed["state"]), (&json!("Ana"), &json!("active")));
    assert_eq!(account(&["lock", "ana"]), "ana is locked\n");
    assert!(account(&["list"]).ends_with("  locked  Ana\n"));
    assert_eq!(sign_in(&host, "correct horse"), 403);
    account(&["unlock", "Ana"]);
    assert_eq!(sign_in(&host, "correct horse"), 200);
    let said = account(&["reset", "Ana"]);
    let password = said.trim().strip_prefix("the new password of Ana is ").expect("a password").to_owned();
    assert_eq!((sign_in(&host, "correct horse"), sign_in(&host, &password)), (401, 200));
    account(&["ban", "Ana"]);
    account(&["ban", "2001:db8::7", "--why", "spam"]);
    assert_eq!(sign_in(&host, &password), 403);
    let bans = account(&["bans"]);
    assert!(bans.contains("account Ana\n") && bans.contains("2001:db8::/64  since 20"), "{bans}");
    account(&["unban", "Ana"]);
    account(&["unban", "2001:db8::/64"]);
    assert_eq!(account(&["bans"]), "");
    complains(&["account", "lock", "Noone", "--store", store], "No account has the name Noone.");
    complains(&["account", "unban", "192.0.2.1", "--store", store], "There is no ban of 192.0.2.1/32.");
    complains(&["account", "list", "--store", "/nothing/here"], "there is no log /nothing/here");

    // A bot with a token plays where guests may not, and its chat is reported.
    let answer = post(&host, "/api/v1/sign-in", &json!({"name": "Ana", "password": password}));
    let cookie = answer.header("set-cookie").and_then(|cookie| cookie.split(';').next()).expect("a cookie").to_owned();
    let csrf = answer.json()["csrf"].as_str().expect("a token").to_owned();
    let made = Request::post_json("/api/v1/me/tokens", "{}").header("Cookie", &cookie).header("X-CSRF-Token", &csrf);
    let token = made.send_blocking(host.http).json()["token"].as_str().expect("a token").to_owned();
    let scenarios: Value = Request::get("/api/v1/scenarios").send_blocking(host.http).json();
    let scenario = &scenarios["scenarios"][0];
    let create = json!({"hello": {"protocol": 3, "want": {"create": {"rulebook": scenario["rulebook"], "scenario": scenario["name"]}}}});
    let mut guest = connect(host.games);
    guest.say(&json!({"account": ""}));
    guest.say(&create);
    assert_eq!(guest.hear()["refused"]["reason"], "account_required");
    let mut ana = connect(host.games);
    ana.say(&json!({"account": token}));
    ana.say(&create);
    let game = ana.hear()["welcome"]["game"].as_str().expect("a game").to_owned();
    ana.say(&json!({"notices":true}));
    let mut heard = Vec::new();
    let mut hears_until = |ana: &mut Lines<TcpStream, TcpStream>, kind: &str| loop {
        let message = ana.hear();
        let is_last = !message["notice"][kind].is_null();
        heard.push(message);
        if is_last {
            return;
        }
    };
    hears_until(&mut ana, "snapshot");
    ana.say(&json!({"chat":"Weed!"}));
    ana.say(&json!({"chat":"hello"}));
    hears_until(&mut ana, "chat");
    ana.say(&json!({"report":1}));
    hears_until(&mut ana, "reported");
    assert!(heard.iter().any(|message| message["notice"]["refused"]["reason"] == "bad_message"), "{heard:?}");
    let reports = account(&["reports"]);
    assert!(reports.contains(&format!("line 1 of {game}")) && reports.contains(": \"hello\""), "{reports}");
    account(&["delete-line", &game, "1"]);
    let chat = Request::get(&format!("/api/v1/games/{game}/chat")).send_blocking(host.http);
    assert!(!chat.body.contains("hello"), "{chat:?}");
    let id = reports.split(':').next().expect("an id").to_owned();
    account(&["dismiss", &id]);
    assert_eq!(account(&["reports"]), "");

    // A ban of an address reaches the running host within 5 seconds.
    account(&["ban", "127.0.0.1"]);
    wait_until("the host knows the ban", || Request::get("/").send_blocking(host.http).status == 403);
    host.stop();
    account(&["unban", "127.0.0.1"]);
    let host = HostProcess::start(&["--store", store, "--accounts", "optional", "--chat", "off"]);
    assert_eq!(sign_in(&host, &password), 200, "accounts stay");
    complains(&["host", "--chat-words", "/nothing/here"], "--chat-words: cannot read /nothing/here");
    host.stop();
}
