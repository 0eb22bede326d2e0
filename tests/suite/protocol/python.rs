//! The description is complete: a Python program that reads nothing else decodes and encodes every message.

use std::{
    env,
    fmt::Debug,
    io::{ErrorKind, Write as _},
    path::PathBuf,
    process::{Command as Process, Stdio},
    thread,
};

use commlib::{Form, FromClient, NumberedEvent, ToClient, encode, encode_from_client};
use engine::{Kind, Message, Rulebook};
use serde::de::DeserializeOwned;

use super::{
    description::{self, AnyCommand, AnyEvent},
    trace,
};
use crate::rulebooks::RULEBOOKS;

/// The least number of values of each variant of each enum.
const EACH: usize = 20;

#[test]
fn python_translates_every_message() {
    let Some(version) = python() else {
        assert!(env::var_os("HOLDFAST_CI").is_none(), "python3 is needed here");
        eprintln!("skipped: there is no python3");
        return;
    };
    let mut messages = Messages::default();
    RULEBOOKS.iter().for_each(|rulebook| (rulebook.sample)(&mut messages));
    let samples = messages.lines.len();
    RULEBOOKS.iter().for_each(|rulebook| (rulebook.play)(&mut messages));
    let answers = translate(&messages.lines);
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), messages.lines.len(), "an answer for every message");
    for (answer, check) in answers.into_iter().zip(&messages.checks) {
        check(answer);
    }
    eprintln!("{samples} samples and {} messages of bots, {version}", messages.lines.len() - samples);
}

/// Checks the answer to one message.
type Check = Box<dyn Fn(&str)>;

/// The messages for the program, and the checks of its answers.
#[derive(Default)]
pub(crate) struct Messages {
    lines: Vec<String>,
    checks: Vec<Check>,
}

impl Messages {
    /// Adds every kind of message of the wire protocol, and every kind of command and event of a rulebook.
    pub(crate) fn sample<R: Rulebook<Command: 'static, Event: 'static>>(&mut self) {
        // Commands and events of the game are added below.
        for message in trace::samples::<FromClient<AnyCommand>>(EACH) {
            match message {
                FromClient::Hello(hello) => self.said::<R>(FromClient::Hello(hello)),
                FromClient::Ping(number) => self.said::<R>(FromClient::Ping(number)),
                FromClient::Offers(number) => self.said::<R>(FromClient::Offers(number)),
                FromClient::Notices(wanted) => self.said::<R>(FromClient::Notices(wanted)),
                FromClient::Chat(text) => self.said::<R>(FromClient::Chat(text)),
                FromClient::Account(token) => self.said::<R>(FromClient::Account(token)),
                FromClient::Mute(mute) => self.said::<R>(FromClient::Mute(mute)),
                FromClient::Report(number) => self.said::<R>(FromClient::Report(number)),
                FromClient::Manage(change) => self.said::<R>(FromClient::Manage(change)),
                FromClient::Command(AnyCommand) => {}
            }
        }
        for message in trace::samples::<ToClient<AnyEvent>>(EACH) {
            match message {
                ToClient::Welcome(welcome) => self.told::<R>(ToClient::Welcome(welcome)),
                ToClient::Games(games) => self.told::<R>(ToClient::Games(games)),
                ToClient::Pong(number) => self.told::<R>(ToClient::Pong(number)),
                ToClient::Refused(refused) => self.told::<R>(ToClient::Refused(refused)),
                ToClient::Closing(refused) => self.told::<R>(ToClient::Closing(refused)),
                ToClient::Offers(offered) => self.told::<R>(ToClient::Offers(offered)),
                ToClient::Notice(notice) => self.told::<R>(ToClient::Notice(notice)),
                ToClient::Managed(access) => self.told::<R>(ToClient::Managed(access)),
                ToClient::Event(_) => {}
            }
        }
        let (commands, events) = (trace::samples::<R::Command>(EACH), trace::samples::<R::Event>(EACH));
        assert_all(&commands);
        assert_all(&events);
        commands.into_iter().for_each(|command| self.said::<R>(FromClient::Command(command)));
        for (number, event) in (0..).zip(events) {
            self.told::<R>(ToClient::Event(NumberedEvent { number, event, text: None }));
        }
    }

    pub(crate) fn said<R: Rulebook<Command: 'static>>(&mut self, message: FromClient<R::Command>) {
        self.add(("from_client", R::NAME), message, encode_from_client);
    }

    pub(crate) fn told<R: Rulebook<Event: 'static>>(&mut self, message: ToClient<R::Event>) {
        self.add(("to_client", R::NAME), message, encode);
    }

    fn add<M: DeserializeOwned + PartialEq + Debug + 'static>(
        &mut self,
        (direction, rulebook): (&str, &str),
        message: M,
        encode: fn(Form, &M, &mut Vec<u8>) -> Result<(), commlib::EncodeError>,
    ) {
        let (mut frame, mut line) = (Vec::new(), Vec::new());
        encode(Form::Binary, &message, &mut frame).expect("a message has bytes");
        encode(Form::Json, &message, &mut line).expect("a message has JSON");
        let frame: String = frame.iter().map(|byte| format!("{byte:02x}")).collect();
        let line = String::from_utf8(line).expect("JSON is UTF-8").trim_end_matches('\n').to_owned();
        self.lines.push(serde_json::to_string(&(direction, rulebook, &frame, &line)).expect("strings are JSON"));
        self.checks.push(Box::new(move |answer| {
            let answer: [String; 3] = serde_json::from_str(answer).expect("three texts");
            let [written, read, short] = answer;
            assert_eq!(written, frame, "the frame of {line}");
            assert_eq!(read, line, "the JSON of {frame}");
            assert_eq!(serde_json::from_str::<M>(&short).ok().as_ref(), Some(&message), "{short}");
        }));
    }
}

fn assert_all<M: Message>(found: &[M]) {
    let is_there = |kind: &Kind| found.iter().any(|message| message.kind() == kind);
    assert!(M::KINDS.iter().all(is_there), "{found:?}");
}

fn python() -> Option<String> {
    let output = match Process::new("python3").arg("--version").output() {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        Err(error) => panic!("python3 cannot be started: {error}"),
    };
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn translate(lines: &[String]) -> String {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/suite/protocol/translate.py");
    let mut process = Process::new("python3");
    process.arg(script).arg(description::path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = process.spawn().expect("python3 was there a moment ago");
    let mut input = child.stdin.take().expect("it is piped");
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    // A thread writes while this one reads. Otherwise both processes could block.
    let writer = thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "translate.py failed; its words are above");
    writer.join().expect("the writer does not panic").expect("everything was read");
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}
