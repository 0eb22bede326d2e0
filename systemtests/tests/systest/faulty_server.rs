//! A server with one fault, to test the runner's reports: `faulty-server FAULT PORT`.
//!
//! It welcomes clients, answers pings and refuses every command. The fault appears when a command arrives.
#![expect(clippy::print_stderr, reason = "the runner shows a server's standard error")]

use std::{
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::{Command, exit},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let (fault, port) = (words[1].clone(), words[2].parse::<u16>().expect("a port"));
    match fault.as_str() {
        "crashes-at-start" => {
            eprintln!("java.lang.NullPointerException: at Main.main");
            exit(3);
        }
        "opens-no-port" => thread::sleep(Duration::from_secs(600)),
        _ => {}
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).expect("the port is free");
    for stream in listener.incoming() {
        let fault = fault.clone();
        thread::spawn(move || serve(stream.expect("a connection"), &fault));
    }
}

fn serve(mut stream: TcpStream, fault: &str) {
    let lines = BufReader::new(stream.try_clone().expect("a socket")).lines();
    let mut number = 0;
    for line in lines.map_while(Result::ok) {
        let message: Value = serde_json::from_str(&line).expect("the runner sends JSON");
        let mut say = |message: &Value| {
            // The client may have closed the connection.
            let _gone = stream.write_all(format!("{message}\n").as_bytes());
        };
        if message.get("hello").is_some() {
            say(&json!({"welcome": {"protocol": 1, "game": "game", "client": 1, "token": null, "next": 1}}));
        } else if let Some(ping) = message.get("ping") {
            say(&json!({ "pong": ping }));
        } else {
            number += 1;
            match fault {
                "crashes" => {
                    eprintln!("thread main panicked at rules.rs:7");
                    exit(101);
                }
                "hangs" => thread::sleep(Duration::from_secs(600)),
                "sends-garbage" => {
                    let _gone = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n");
                }
                "sends-strangers" => say(&json!({"event": {"number": number, "event": {"Danced": {}}, "text": null}})),
                "never-stops" => loop {
                    refuse(&mut say, number, "No.");
                    number += 1;
                    thread::sleep(Duration::from_millis(1));
                },
                "floods" => loop {
                    refuse(&mut say, number, "No.");
                    number += 1;
                },
                "eats-memory" => {
                    let eaten = vec![1_u8; 600 << 20];
                    thread::sleep(Duration::from_secs(600));
                    drop(eaten);
                }
                "forks" => {
                    let sleep = || Command::new("sleep").arg("600").spawn();
                    let _children: Vec<_> = (0..20).map(|_| sleep()).collect();
                    thread::sleep(Duration::from_secs(600));
                }
                "is-speechless" => refuse(&mut say, number, ""),
                _ => refuse(&mut say, number, "No."),
            }
        }
    }
}

fn refuse(say: &mut impl FnMut(&Value), number: u64, words: &str) {
    let event = json!({"CommandFailed": {"refusal": {"NotRegistered": {}}}});
    say(&json!({"event": {"number": number, "event": event, "text": words}}));
}
