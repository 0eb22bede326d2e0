//! Reports for other programs: JUnit XML, TAP and JSON.

use std::fmt::Write as _;

use serde_json::json;

use crate::{batch::Verdict, target::Outcome};

/// JUnit XML for build servers. A difference is a `failure`; all other outcomes are an `error`.
pub fn junit(verdicts: &[Verdict]) -> String {
    let failures = verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Fail).count();
    let passed = verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Ok).count();
    let errors = verdicts.len() - failures - passed;
    let seconds: f64 = verdicts.iter().map(|verdict| verdict.time.as_secs_f64()).sum();
    let counts =
        format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\"", verdicts.len());
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n<testsuite name=\"systest\" {counts}>\n"
    );
    for Verdict { name, place, outcome, message, time, .. } in verdicts {
        let (name, place, time) = (xml(name), xml(place), time.as_secs_f64());
        let element = match outcome {
            Outcome::Ok => "",
            Outcome::Fail => "failure",
            Outcome::ServerFail | Outcome::TimeOut | Outcome::ProtocolError => "error",
        };
        write!(text, "  <testcase name=\"{name}\" classname=\"{place}\" time=\"{time:.3}\"")
            .expect("a string takes everything");
        if element.is_empty() {
            text.push_str("/>\n");
        } else {
            let first = xml(message.lines().next().unwrap_or_default());
            let message = xml(message);
            writeln!(
                text,
                ">\n    <{element} type=\"{outcome}\" message=\"{first}\">{message}</{element}>\n  </testcase>"
            )
            .expect("a string takes everything");
        }
    }
    text.push_str("</testsuite>\n</testsuites>\n");
    text
}

/// The Test Anything Protocol, version 13.
pub fn tap(verdicts: &[Verdict]) -> String {
    let mut text = format!("TAP version 13\n1..{}\n", verdicts.len());
    for (verdict, number) in verdicts.iter().zip(1..) {
        let ok = if verdict.outcome == Outcome::Ok { "ok" } else { "not ok" };
        // `#` would start a TAP directive.
        let name = verdict.name.replace('#', "").replace(['\n', '\r'], " ");
        writeln!(text, "{ok} {number} - {name}").expect("a string takes everything");
        if verdict.outcome != Outcome::Ok {
            let message: String = verdict.message.lines().map(|line| format!("    {line}\n")).collect();
            let place = json!(verdict.place);
            write!(text, "  ---\n  verdict: {}\n  at: {place}\n  message: |\n{message}  ...\n", verdict.outcome)
                .expect("a string takes everything");
        }
    }
    text
}

/// A JSON list with an object for each script.
pub fn json(verdicts: &[Verdict]) -> String {
    let list: Vec<_> = verdicts
        .iter()
        .map(|verdict| {
            json!({
                "name": verdict.name,
                "place": verdict.place,
                "tags": verdict.tags,
                "verdict": verdict.outcome.name(),
                "message": verdict.message,
                "seconds": verdict.time.as_secs_f64(),
            })
        })
        .collect();
    format!("{:#}\n", json!(list))
}

/// Escapes a text for XML, and removes characters that XML does not allow.
pub(crate) fn xml(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(letter),
            '\u{fffe}' | '\u{ffff}' => {}
            _ if letter.is_control() => {}
            _ => escaped.push(letter),
        }
    }
    escaped
}
