//! Playing a script and finding the first difference.

use std::fmt::Write as _;

use script::{Ending, EventPattern, EventWords, Expected, ReceivedEvent, Script, Step};

use crate::{
    play::{Act, Play, Want},
    table::{Failure, Outcome, Table, Target},
};

/// How many events of a client a report shows.
const RECENT: usize = 6;

/// Plays a script. An error is what differed first and what led to it, over several lines.
pub fn run(play: &Play<'_>, target: &dyn Target) -> Result<(), Failure> {
    let transcript = &play.script.transcript;
    if let Ending::Refused { code, message } = &transcript.end {
        return target.refuses(play, *code, message);
    }
    let known = |client: u32| transcript.clients.iter().any(|known| known.number == client);
    if let Some(step) = transcript.steps.iter().find(|step| !known(step.client())) {
        let message = format!("client {} is not among the clients", step.client());
        return Err(Failure::new(Outcome::Fail, message));
    }
    let mut table = target.open(play)?;
    let mut heard = Vec::new();
    for (at, act) in play.acts.iter().enumerate() {
        take(&mut *table, play, at, act, &mut heard)?;
    }
    if transcript.end == Ending::Ended {
        // What somebody is told too much is a better reason than that the game is not over.
        nothing_left(&mut *table, play)?;
        let late =
            |failure: Failure| Failure::new(failure.outcome, format!("after the last step: {}", failure.message));
        table.ended().map_err(late)?;
        nothing_left(&mut *table, play)?;
    }
    Ok(())
}

fn nothing_left(table: &mut dyn Table, play: &Play<'_>) -> Result<(), Failure> {
    let script = play.script;
    for client in &script.transcript.clients {
        if let Some(told) = table.next(client.number)? {
            let (name, text) = (&client.name, cut(&text(&told, script, script.transcript.steps.len())));
            let message =
                format!("after the last step: {name} is told more\n  this line would match:\n      {name}: {text}");
            return Err(Failure::new(Outcome::Fail, message));
        }
    }
    Ok(())
}

type Heard = Vec<(u32, ReceivedEvent)>;

fn take(table: &mut dyn Table, play: &Play<'_>, at: usize, act: &Act<'_>, heard: &mut Heard) -> Result<(), Failure> {
    let placed = |failure: Failure| Failure::new(failure.outcome, report(play, at, &failure.message));
    let (client, want) = match act {
        Act::Send { client, sent } => return table.send(*client, sent).map_err(placed),
        Act::Silence => return table.wait_for_deadline().map_err(placed),
        Act::Expect { client, want } => (*client, want),
    };
    let skipped_from = heard.len();
    loop {
        let told = table.next(client).map_err(placed)?;
        let fits = |pattern: &dyn EventPattern, told: &ReceivedEvent| pattern.matches(told, &play.script.scenario);
        match (want, told) {
            (Want::Nothing, None) => return Ok(()),
            (Want::Any, Some(told)) => {
                heard.push((client, told));
                return Ok(());
            }
            (Want::One(pattern) | Want::Until(pattern), Some(told)) if fits(&**pattern, &told) => {
                heard.push((client, told));
                return Ok(());
            }
            (Want::Until(_), Some(told)) => heard.push((client, told)),
            (Want::Until(_), None) => {
                let passed = heard.split_off(skipped_from);
                let came = match passed.len() {
                    0 => "nothing".into(),
                    1 => "nothing of that kind; 1 other event was passed over".into(),
                    many => format!("nothing of that kind; {many} other events were passed over"),
                };
                return Err(difference(play, at, &came, &passed, heard));
            }
            (Want::One(_) | Want::Nothing, Some(told)) => {
                let came = text(&told, play.script, at);
                return Err(difference(play, at, &came, &[(client, told)], heard));
            }
            (Want::One(_) | Want::Any, None) => return Err(difference(play, at, "nothing", &[], heard)),
        }
    }
}

/// Something else came than a step expects: `others`, the first of which would have matched, after what was `heard` before.
fn difference(play: &Play<'_>, at: usize, came: &str, others: &[(u32, ReceivedEvent)], heard: &Heard) -> Failure {
    let script = play.script;
    let client = script.transcript.steps[at].client();
    let name = script.transcript.client_name(client);
    let line = script.line(at);
    let expected = line.strip_prefix(&format!("{name}: ")).unwrap_or(&line);
    let mut text = format!("{name} was told something else\n  expected: {}\n  came:     {}", cut(expected), cut(came));
    if matches!(&script.transcript.steps[at], Step::Expect { expected: Expected::Until(_), .. }) {
        for (_, told) in others.iter().take(RECENT) {
            write!(text, "\n      {}", cut(&self::text(told, script, at))).expect("a string takes everything");
        }
        if others.len() > RECENT {
            text.push_str("\n      ..");
        }
    }
    let matching = match others.first() {
        Some((_, told)) => {
            let mut call = told.call(&script.scenario);
            if script.game.worded(&call.name) == Some(EventWords::Own) {
                call.arguments.clear();
            }
            script.event(at, &call)
        }
        None => "nothing more".into(),
    };
    write!(text, "\n  this line would match:\n      {name}: {}", cut(&matching)).expect("a string takes everything");
    let recent: Vec<&ReceivedEvent> =
        heard.iter().rev().filter(|(whose, _)| *whose == client).map(|(_, told)| told).take(RECENT).collect();
    if recent.is_empty() {
        write!(text, "\n  {name} was told nothing before").expect("a string takes everything");
    } else {
        write!(text, "\n  {name} was told before:").expect("a string takes everything");
    }
    for told in recent.iter().rev() {
        write!(text, "\n      {}", cut(&self::text(told, script, at))).expect("a string takes everything");
    }
    if let Some(sent) = (0..at).rev().find(|&at| !matches!(script.transcript.steps[at], Step::Expect { .. })) {
        write!(text, "\n  after {}", script.line(sent)).expect("a string takes everything");
    }
    Failure::new(Outcome::Fail, report(play, at, &text))
}

/// As a line of a script has it at a step.
fn text(told: &ReceivedEvent, script: &Script, at: usize) -> String {
    script.event(at, &told.call(&script.scenario))
}

/// With where the step is written.
fn report(play: &Play<'_>, at: usize, message: &str) -> String {
    format!("{}: {}\n{message}", play.script.places[at], cut(&play.script.line(at)))
}

/// A scenario's text would hide everything else.
fn cut(text: &str) -> String {
    const LONGEST: usize = 100;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ..", &text[..end]),
        None => text.to_owned(),
    }
}
