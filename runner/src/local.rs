//! Plays scripts in this process.

use script::{LocalGame, ReceivedEvent};

use crate::{
    play::{Play, Sent},
    target::{Failure, GameUnderTest, Outcome, Target},
};

/// Plays scripts in this process, by the rules of their games.
#[derive(Clone, Copy, Debug)]
pub struct InProcess;

impl Target for InProcess {
    fn open<'a>(&'a self, play: &'a Play<'_>) -> Result<Box<dyn GameUnderTest + 'a>, Failure> {
        let refused = |error| Failure::new(Outcome::Fail, format!("the scenario is refused: {error}"));
        let setup = play.setup.as_ref().map_err(refused)?;
        let transcript = &play.script.transcript;
        let clients: Vec<u32> = transcript.clients.iter().map(|client| client.number).collect();
        let timeout_ms = transcript.timeout.map_or(u64::MAX, |seconds| u64::from(seconds) * 1000);
        Ok(Box::new(Local { game: play.script.game.start(setup, transcript.seed, &clients), timeout_ms }))
    }

    fn refuses(&self, play: &Play<'_>, code: Option<i32>, message: &str) -> Result<(), Failure> {
        // The exit code of `holdfast` for a refused scenario.
        const REFUSED: i32 = 1;
        let fail = |message: String| Err(Failure::new(Outcome::Fail, message));
        match play.setup.as_ref().map_err(ToString::to_string) {
            Ok(_) => fail("the scenario is accepted, and should be refused".into()),
            Err(_) if code.is_some_and(|code| code != REFUSED) => {
                fail(format!("the exit code is {REFUSED}, and should be {}", code.unwrap_or_default()))
            }
            Err(said) if !said.contains(message) => {
                fail(format!("the server should say {message:?}, and says:\n{said}"))
            }
            Err(_) => Ok(()),
        }
    }
}

#[derive(Debug)]
struct Local {
    game: Box<dyn LocalGame>,
    /// How long a silence lasts at most.
    timeout_ms: u64,
}

impl GameUnderTest for Local {
    fn send(&mut self, client: u32, sent: &Sent<'_>) -> Result<(), Failure> {
        let not_a_command =
            |error| Failure::new(Outcome::ProtocolError, format!("there is no command {}: {error}", sent.call.name));
        let command = sent.command.as_ref().map_err(not_a_command)?;
        self.game.send(client, command);
        Ok(())
    }

    fn wait_for_deadline(&mut self) -> Result<(), Failure> {
        // Like on a server, a deadline that comes later is not waited for.
        let until_ms = self.game.now_ms().saturating_add(self.timeout_ms);
        match self.game.next_due_ms() {
            Some(due_ms) if due_ms <= until_ms => self.game.wait_for_timer(),
            Some(_) => self.game.elapse(until_ms),
            None => {}
        }
        Ok(())
    }

    fn next(&mut self, client: u32) -> Result<Option<ReceivedEvent>, Failure> {
        Ok(self.game.next(client))
    }

    fn ended(&mut self) -> Result<(), Failure> {
        if self.game.is_over() { Ok(()) } else { Err(Failure::new(Outcome::Fail, "the game is not over")) }
    }
}
