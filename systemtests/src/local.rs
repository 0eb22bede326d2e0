//! The engine in process, as the clients of one game see it.

use script::{LocalGame, ReceivedEvent};

use crate::{
    play::{Play, Sent},
    table::{Failure, Outcome, Table, Target},
};

/// Plays scripts in this process, by the rules of their games.
#[derive(Clone, Copy, Debug)]
pub struct InProcess;

impl Target for InProcess {
    fn open<'a>(&'a self, play: &'a Play<'_>) -> Result<Box<dyn Table + 'a>, Failure> {
        let refused = |error: &String| Failure::new(Outcome::Fail, format!("the scenario is refused: {error}"));
        let setup = play.setup.as_ref().map_err(refused)?;
        let transcript = &play.script.transcript;
        let clients: Vec<u32> = transcript.clients.iter().map(|client| client.number).collect();
        Ok(Box::new(Local { game: play.script.game.start(setup, transcript.seed, &clients) }))
    }

    fn refuses(&self, play: &Play<'_>, code: Option<i32>, message: &str) -> Result<(), Failure> {
        // What our program ends with.
        const OURS: i32 = 1;
        let fail = |message: String| Err(Failure::new(Outcome::Fail, message));
        match &play.setup {
            Ok(_) => fail("the scenario is taken, and should be refused".into()),
            Err(_) if code.is_some_and(|code| code != OURS) => {
                fail(format!("the exit code is {OURS}, and should be {}", code.unwrap_or_default()))
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
}

impl Table for Local {
    fn send(&mut self, client: u32, sent: &Sent<'_>) -> Result<(), Failure> {
        let command = sent.command.as_ref().map_err(|error| Failure::new(Outcome::ProtocolError, error))?;
        self.game.send(client, command);
        Ok(())
    }

    fn wait_for_deadline(&mut self) -> Result<(), Failure> {
        self.game.wait_for_timer();
        Ok(())
    }

    fn next(&mut self, client: u32) -> Result<Option<ReceivedEvent>, Failure> {
        Ok(self.game.next(client))
    }

    fn ended(&mut self) -> Result<(), Failure> {
        if self.game.is_over() { Ok(()) } else { Err(Failure::new(Outcome::Fail, "the game is not over")) }
    }
}
