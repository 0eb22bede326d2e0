//! Each law catches a fault that breaks it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use engine::{Cause, CommId, laws::Trial};

use crate::counter::{Command, Counter, Fault};

/// Plays a game that tests every law, and returns the message of the broken one.
fn broken_law(fault: Fault) -> String {
    let played = catch_unwind(AssertUnwindSafe(|| {
        let (ana, bo) = (CommId(1), CommId(2));
        let mut trial = Trial::<Counter>::new(&fault, 42, [ana, bo]);
        let mut step = |client, command| trial.step(5, Cause::Command { client, command });
        step(ana, Command::Join {});
        step(bo, Command::Join {});
        step(ana, Command::Add { amount: 0 });
        step(ana, Command::Add { amount: 1 });
        step(bo, Command::Leave {});
        step(bo, Command::Add { amount: 0 });
        step(bo, Command::Join {});
        step(ana, Command::Add { amount: 2 });
        step(ana, Command::Add { amount: 1 });
        assert_eq!(trial.seats().seated(), [ana, bo]);
        assert_eq!(trial.finish(), 8);
    }));
    match played {
        Ok(()) => "none".into(),
        Err(panic) => {
            let fixed = panic.downcast_ref::<&str>().map(|words| String::from(*words));
            fixed.or_else(|| panic.downcast_ref::<String>().cloned()).expect("a panic has a message")
        }
    }
}

#[track_caller]
fn check(fault: Fault, law: &str) {
    let broken = broken_law(fault);
    assert!(broken.contains(law), "{fault:?} breaks {broken:?}, not {law:?}");
}

#[test]
fn older_versions_obey_the_same_laws() {
    let mut trial = Trial::<Counter>::of_version(1, &Fault::Nothing, 42, [CommId(1)]);
    for amount in [0, 1, 1, 1] {
        trial.step(5, Cause::Command { client: CommId(1), command: Command::Add { amount } });
    }
    assert_eq!(trial.finish(), 4, "luck would have ended the game earlier");
}

#[test]
fn every_law_can_be_broken() {
    check(Fault::Nothing, "none");
    check(Fault::HiddenInput, "folding twice gives the same state");
    check(Fault::RefusalDraws, "a refused command, or an input after the end, changes nothing");
    check(Fault::SilentChange, "the board follows from the events");
    check(Fault::SecretChange, "the view of client 1 follows from the events");
    check(Fault::SpeaksAfterTheEnd, "a game emits nothing after its end");
    check(Fault::TellsWhoLeft, "client 2 has lost its seat and receives Gone");
    check(Fault::SpeaksAtStart, "a game emits nothing before its first input");
    check(Fault::WaitsAfterTheEnd, "a game waits for a client until it is over");
    check(Fault::EarlyResults, "there are no results before the end");
    check(Fault::SecondResult, "client 2 has a second result");
    check(Fault::ResultOfStranger, "client 3 has a result but never had a seat");
    check(Fault::SplitSide, "all seats of a side win or lose together");
    check(Fault::ResultsChange, "results do not change");
}
