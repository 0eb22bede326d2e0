//! Presence and chat, for clients that ask.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use commlib::{Channel, ChatLine, Form, Hello};
use serde_json::Value;
use server::{
    ChatLimits, Limits, Options,
    host_store::{DocumentChange, HostStore, MemoryHostStore, NewChatLine, SqliteHostStore},
    log::{MemoryLog, Reading},
};

use crate::{
    counter::Command,
    support::{Player, Port, Scratch, Served, create, join, options, resume, watch, with_board},
};

/// The times of a notice vary; whether there is one does not.
fn timeless(words: &str) -> String {
    let mut text = words.to_owned();
    for key in ["\"away_ms\":", "\"at\":"] {
        let mut parts = text.split(key).map(str::to_owned).collect::<Vec<_>>().into_iter();
        let mut replaced = parts.next().unwrap_or_default();
        for part in parts {
            let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_number = rest.len() < part.len();
            replaced += &format!("{key}{}{rest}", if is_number { "N" } else { "" });
        }
        text = replaced;
    }
    text
}

/// The next notice but a count of spectators, which comes at most once a second.
async fn notice(player: &mut Player) -> String {
    loop {
        let words = player.next().await;
        if !words.starts_with("notice {\"spectators\"") {
            return timeless(&words);
        }
    }
}

fn line(number: u64, channel: &str, client: &str, by: &str, text: &str) -> String {
    format!(r#"{{"number":{number},"channel":"{channel}","client":{client},"by":"{by}","text":"{text}","at":N}}"#)
}

fn snapshot(players: &str, spectators: u32, writes: &str, chat: &str) -> String {
    format!(
        r#"notice {{"snapshot":{{"players":[{players}],"spectators":{spectators},"thinks":null,"writes":"{writes}","chat":{chat}}}}}"#
    )
}

const ANA: &str = r#"{"client":1,"player":"Ana","away_ms":null}"#;

#[tokio::test]
async fn a_client_that_asks_is_told_who_comes_and_leaves() {
    for form in [Form::Binary, Form::Json] {
        let served = Served::new().await;
        let mut ana = served.creator("100").await;
        assert_eq!(ana.ask_notices().await, snapshot(ANA, 0, "players", "[]"));
        let mut bo = served.enter(form, join(ana.game())).await.expect("a place");
        bo.send(Command::Join { name: "Bo".into() }).await;
        assert_eq!(notice(&mut ana).await, "3 Joined Bo", "notices are not numbered");
        assert_eq!(notice(&mut ana).await, r#"notice {"presence":{"client":2,"player":"Bo","away_ms":null}}"#);
        // A second connection of a client replaces the first: the client was never away.
        let token = bo.token();
        let mut again = served.enter(form, resume(ana.game(), token, 0)).await.expect("the place");
        again.add(1).await;
        assert_eq!(again.hears().await, "1 Greeted; 2 Joined Bo; 3 Counted 1", "a client that does not ask gets none");
        assert_eq!(notice(&mut ana).await, "4 Counted 1");
        drop(again);
        assert_eq!(notice(&mut ana).await, r#"notice {"presence":{"client":2,"player":"Bo","away_ms":N}}"#);
        let mut eve = served.enter(form, watch(ana.game(), 0)).await.expect("a view");
        eve.hears().await;
        let away = r#"{"client":2,"player":"Bo","away_ms":N}"#;
        let shown = timeless(&eve.ask_notices().await);
        assert_eq!(shown, snapshot(&format!("{ANA},{away}"), 1, "spectators", "[]"));
        let mut bo = served.enter(form, resume(ana.game(), token, 3)).await.expect("the place");
        assert_eq!(notice(&mut ana).await, r#"notice {"presence":{"client":2,"player":"Bo","away_ms":null}}"#);
        // No more of them.
        ana.want_notices(false).await;
        assert_eq!(ana.hears().await.replace(r#"notice {"spectators":1}"#, ""), "");
        bo.chat("hello?").await;
        assert_eq!(bo.hears().await, "refused BadMessage", "who does not read does not write");
        drop(bo);
        assert_eq!(ana.hears().await, "");
    }
}

#[tokio::test]
async fn spectators_are_counted_now_and_then() {
    let served = Served::new().await;
    let mut ana = served.creator("100").await;
    ana.ask_notices().await;
    let mut crowd = Vec::new();
    for _ in 0..20 {
        crowd.push(served.enter(Form::Json, watch(ana.game(), 0)).await.expect("a view"));
    }
    let mut counts = Vec::new();
    while counts.last().map(String::as_str) != Some(r#"notice {"spectators":20}"#) {
        counts.push(ana.next().await);
    }
    assert!(counts.len() <= 3, "many that come at once are counted together: {counts:?}");
}

#[tokio::test]
async fn players_and_spectators_have_a_chat_each() {
    for form in [Form::Binary, Form::Json] {
        let served = Served::new().await;
        let mut ana = served.creator("100").await;
        ana.ask_notices().await;
        let mut eve = served.enter(form, watch(ana.game(), 0)).await.expect("a view");
        eve.hears().await;
        eve.ask_notices().await;
        let mut stranger = served.enter(form, join(ana.game())).await.expect("a place");
        stranger.ask_notices().await;

        ana.chat("  gl hf ").await;
        let first = line(1, "players", "1", "Ana", "gl hf");
        let told = format!(r#"notice {{"chat":{first}}}"#);
        assert_eq!([notice(&mut ana).await, notice(&mut eve).await, notice(&mut stranger).await], [&*told; 3]);
        eve.chat("she blunders").await;
        stranger.chat("indeed").await;
        let second = line(2, "spectators", "null", "Spectator 1", "she blunders");
        let third = line(3, "spectators", "2", "Guest 2", "indeed");
        for reader in [&mut eve, &mut stranger] {
            for line in [&second, &third] {
                assert_eq!(notice(reader).await, format!(r#"notice {{"chat":{line}}}"#));
            }
        }
        ana.chat("bye").await;
        let last = line(4, "players", "1", "Ana", "bye");
        assert_eq!(
            notice(&mut ana).await,
            format!(r#"notice {{"chat":{last}}}"#),
            "players do not read the other chat"
        );

        // The snapshot of a resumed client has what it may read.
        let mut ana = served.enter(form, resume(ana.game(), ana.token(), 2)).await.expect("the place");
        assert_eq!(timeless(&ana.ask_notices().await), snapshot(ANA, 2, "players", &format!("[{first},{last}]")));
        assert_eq!(
            timeless(&{
                eve.want_notices(true).await;
                loop {
                    let words = eve.next().await;
                    if words.contains("snapshot") {
                        break words;
                    }
                }
            }),
            snapshot(ANA, 2, "spectators", &format!("[{first},{second},{third},{last}]"))
        );

        // While the game runs, the page of the game shows the chat of the players, and later all of it.
        let port = Port::of(&served).await;
        let numbers = async || {
            let answer = port.get(&format!("/api/v1/games/{}/chat", ana.welcome.game)).await;
            let answer: Value = serde_json::from_str(&answer.body).expect("JSON");
            let lines = answer["lines"].as_array().expect("lines").clone();
            lines.iter().map(|line| line["number"].as_u64().expect("a number")).collect::<Vec<_>>()
        };
        assert_eq!(numbers().await, [1, 4]);
        stranger.add(100).await;
        while stranger.next().await != "closing GameOver" {}
        assert_eq!(numbers().await, [1, 2, 3, 4]);
        assert_eq!(port.get("/api/v1/games/nowhere/chat").await.status, 404);
        assert_eq!(port.get(&format!("/api/v1/games/{}/chat?x=1", ana.welcome.game)).await.status, 400);
    }
}

#[tokio::test]
async fn chat_has_limits() {
    let chat = ChatLimits { longest: 5, per_minute: 60, at_once: 3, kept: 4, ..ChatLimits::default() };
    let store = Arc::new(MemoryHostStore::default());
    let limits = Limits { chat, ..Limits::default() };
    let options = Options { host_store: store.clone(), ..options(Arc::new(MemoryLog::new()), limits) };
    let served = Served::open(options).await;
    let mut ana = served.creator("100").await;
    ana.chat("hi").await;
    assert_eq!(ana.hears().await, "refused BadMessage", "before it asks for notices");
    ana.ask_notices().await;
    for (text, reason) in [("sixsix", "too_large"), (" \t ", "bad_message"), ("a\nb", "bad_message")] {
        ana.chat(text).await;
        let told = ana.next().await;
        assert!(told.starts_with(&format!(r#"notice {{"refused":{{"reason":"{reason}""#)), "{text:?}: {told}");
    }
    tokio::time::pause();
    let mut taken = Vec::new();
    for number in 0..5 {
        ana.chat(&format!("n{number}")).await;
        taken.push(ana.next().await.contains("\"chat\""));
    }
    assert_eq!(taken, [true, true, true, false, false], "three at once");
    let game = ana.game().to_owned();
    let mut again = served.enter(Form::Json, resume(&game, ana.token(), 2)).await.expect("the place");
    again.ask_notices().await;
    again.chat("n5").await;
    assert!(again.next().await.contains("too_fast"), "a new connection gives no new allowance");
    tokio::time::advance(Duration::from_secs(2)).await;
    for _ in 0..2 {
        again.chat("later").await;
        assert!(again.next().await.contains("later"));
    }
    let kept = store.chat(&game, None, 100).await.expect("lines");
    assert_eq!(kept.iter().map(|line| line.number).collect::<Vec<_>>(), [2, 3, 4, 5], "old lines are deleted");
    // All spectators together have as much as one player.
    let mut lines = 0;
    for _ in 0..3 {
        let mut eve = served.enter(Form::Json, watch(&game, 0)).await.expect("a view");
        eve.hears().await;
        eve.ask_notices().await;
        for _ in 0..3 {
            eve.chat("boo").await;
            lines += usize::from(notice(&mut eve).await.contains("\"chat\""));
        }
    }
    assert_eq!(lines, 3);
}

#[tokio::test]
async fn old_clients_and_servers_for_one_game_have_no_notices() {
    let served = Served::new().await;
    let mut ana = served.creator("100").await;
    ana.ask_notices().await;
    {
        let hello = Hello { protocol: 2, ..join(ana.game()) };
        let mut old = served.enter(Form::Json, hello.clone()).await.expect("a place");
        old.want_notices(true).await;
        assert_eq!(old.rest().await, "closing BadMessage");
        let mut old = served.enter(Form::Json, hello).await.expect("a place");
        old.chat("hi").await;
        assert_eq!(old.rest().await, "closing BadMessage");
    }
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    let (game, token) = {
        let ana = served.creator("100").await;
        (ana.game().to_owned(), ana.token())
    };
    served.stop().await;
    let served = Served::open(Options { one_game: true, ..options(scratch.log(), Limits::default()) }).await;
    let mut ana = served.enter(Form::Json, resume(&game, token, 2)).await.expect("the place");
    ana.want_notices(true).await;
    ana.chat("hi").await;
    ana.send(Command::Shout { length: 61 }).await;
    assert_eq!(
        ana.hears().await,
        r#"notice {"refused":{"reason":"bad_message","message":"This server has no notices."}}; refused BadMessage; 3 Shouted 61"#,
        "nor is anybody kept out"
    );
}

/// A store that is silent for a while.
#[derive(Debug, Default)]
struct Silent {
    store: MemoryHostStore,
    is_silent: AtomicBool,
}

impl HostStore for Silent {
    fn add_chat<'a>(&'a self, game: &'a str, line: NewChatLine, keep: u32) -> Reading<'a, u64> {
        if self.is_silent.load(Ordering::Relaxed) { Box::pin(pending()) } else { self.store.add_chat(game, line, keep) }
    }

    fn chat<'a>(&'a self, game: &'a str, channel: Option<Channel>, most: u32) -> Reading<'a, Vec<ChatLine>> {
        if self.is_silent.load(Ordering::Relaxed) { Box::pin(pending()) } else { self.store.chat(game, channel, most) }
    }

    fn access<'a>(&'a self, game: &'a str) -> Reading<'a, Option<String>> {
        if self.is_silent.load(Ordering::Relaxed) { Box::pin(pending()) } else { self.store.access(game) }
    }

    fn set_access<'a>(&'a self, game: &'a str, hidden: bool, rules: String) -> Reading<'a, ()> {
        self.store.set_access(game, hidden, rules)
    }

    fn replace_chat<'a>(&'a self, game: &'a str, lines: Vec<(u64, String, String)>) -> Reading<'a, ()> {
        self.store.replace_chat(game, lines)
    }

    fn forget<'a>(&'a self, game: &'a str) -> Reading<'a, ()> {
        self.store.forget(game)
    }

    fn hidden(&self) -> Reading<'_, Vec<String>> {
        self.store.hidden()
    }

    fn replace_line<'a>(&'a self, game: &'a str, number: u64, text: &'a str) -> Reading<'a, bool> {
        self.store.replace_line(game, number, text)
    }

    fn document<'a>(&'a self, kind: &'static str, key: &'a str) -> Reading<'a, Option<String>> {
        self.store.document(kind, key)
    }

    fn documents<'a>(
        &'a self,
        kind: &'static str,
        prefix: &'a str,
        after: &'a str,
        most: u32,
    ) -> Reading<'a, Vec<(String, String)>> {
        self.store.documents(kind, prefix, after, most)
    }

    fn change_documents(&self, changes: Vec<DocumentChange>) -> Reading<'_, bool> {
        self.store.change_documents(changes)
    }
}

#[tokio::test]
async fn a_silent_store_holds_up_no_game() {
    let store = Arc::new(Silent { is_silent: true.into(), ..Silent::default() });
    let chat = ChatLimits { patience: Duration::from_millis(700), ..ChatLimits::default() };
    let limits = Limits { chat, ..Limits::default() };
    let options = Options { host_store: store.clone(), ..options(Arc::new(MemoryLog::new()), limits) };
    let served = Served::open(options).await;
    let mut ana = served.creator("100").await;
    ana.want_notices(true).await;
    ana.add(1).await;
    assert_eq!(ana.hears().await, "3 Counted 1", "the game goes on at once");
    assert_eq!(ana.next().await, snapshot(ANA, 0, "players", "null"), "presence needs no store");
    for text in ["one", "two", "three"] {
        ana.chat(text).await;
    }
    ana.add(1).await;
    assert_eq!(ana.hears().await, "4 Counted 2");
    for _ in 0..3 {
        assert!(ana.next().await.starts_with(r#"notice {"refused":{"reason":"store_unavailable""#));
    }
    let port = Port::of(&served).await;
    assert_eq!(port.get(&format!("/api/v1/games/{}/chat", ana.game())).await.status, 503);
    store.is_silent.store(false, Ordering::Relaxed);
    ana.chat("four").await;
    assert_eq!(timeless(&ana.next().await), format!(r#"notice {{"chat":{}}}"#, line(1, "players", "1", "Ana", "four")));
    assert!(ana.ask_notices().await.contains("four"), "and the chat can be read again");
    // A store that is silent does not keep a host from stopping, either.
    store.is_silent.store(true, Ordering::Relaxed);
    ana.chat("five").await;
    assert_eq!(ana.hears().await, "");
    served.stop().await;
}

#[tokio::test]
async fn a_restarted_host_still_has_the_chat() {
    let scratch = Scratch::new();
    let opened = async || {
        let host_store = Arc::new(SqliteHostStore::open(&scratch.path("games.db.host")).expect("a store"));
        Served::open(Options { host_store, ..options(scratch.log(), Limits::default()) }).await
    };
    let served = opened().await;
    let mut ana = served.creator("100").await;
    ana.ask_notices().await;
    ana.chat("hi").await;
    ana.next().await;
    let (game, token) = (ana.game().to_owned(), ana.token());
    served.stop().await;

    let served = opened().await;
    let mut eve = served.enter(Form::Json, watch(&game, 0)).await.expect("a view");
    eve.hears().await;
    let hi = line(1, "players", "1", "Ana", "hi");
    let mut ana = served.enter(Form::Json, with_board(resume(&game, token, 0))).await.expect("the place");
    ana.hears().await;
    assert_eq!(timeless(&ana.ask_notices().await), snapshot(ANA, 1, "players", &format!("[{hi}]")));
    ana.chat("again").await;
    assert_eq!(notice(&mut ana).await, format!(r#"notice {{"chat":{}}}"#, line(2, "players", "1", "Ana", "again")));
}

#[tokio::test]
async fn a_host_admits_commands_by_seat_and_presence() {
    let served = Served::new().await;
    let mut ana = served.creator("100").await;
    let game = ana.game().to_owned();
    let mut bo = served.enter(Form::Binary, join(&game)).await.expect("a place");
    let shout = || Command::Shout { length: 61 };
    bo.send(shout()).await;
    assert_eq!(bo.hears().await, "refused BadMessage", "a stranger");
    // The second command comes before the seat is durable.
    bo.send(Command::Join { name: "Bo".into() }).await;
    bo.send(shout()).await;
    bo.send(Command::Shout { length: 60 }).await;
    let heard = bo.hears().await;
    let refused = heard.matches("refused BadMessage").count();
    assert!(refused == 1 && heard.ends_with("3 Shouted 60"), "the first client is there: {heard}");
    ana.hears().await;
    tokio::time::pause();
    let token = ana.token();
    drop(ana);
    // Until the host has noticed it.
    bo.ask_notices().await;
    bo.want_notices(false).await;
    tokio::time::sleep(Duration::from_secs(59)).await;
    bo.send(shout()).await;
    assert!(bo.hears().await.ends_with("refused BadMessage"), "59 seconds are too few");
    tokio::time::sleep(Duration::from_secs(1)).await;
    bo.send(shout()).await;
    assert_eq!(bo.hears().await, "4 Shouted 61");
    let _ana = served.enter(Form::Binary, resume(&game, token, 0)).await.expect("the place");
    bo.send(shout()).await;
    assert_eq!(bo.hears().await, "refused BadMessage", "the first client is back");
    // Nothing of what was refused is in the log: the next commands counts all that were taken.
    let bo = served.enter(Form::Binary, resume(&game, bo.token(), 0)).await.expect("the place");
    assert_eq!(bo.welcome.commands, 3);
}

#[tokio::test]
async fn notices_of_an_unfinished_game_are_in_no_log() {
    let log = Arc::new(MemoryLog::new());
    let served = Served::open(options(log, Limits::default())).await;
    let mut ana = served.enter(Form::Json, create("100")).await.expect("a game");
    ana.ask_notices().await;
    ana.chat("not a word of this").await;
    ana.next().await;
    ana.send(Command::Join { name: "Ana".into() }).await;
    ana.hears().await;
    let port = Port::of(&served).await;
    let export = port.get(&format!("/api/v1/games/{}/export/jsonl", ana.game())).await;
    assert!(!export.body.contains("not a word"), "{}", export.body);
}
