//! A game of one person with bots, in this process.

use colony_rules::{Command, Event, Game, Setup, Timer, View};
use engine::{Audience, Cause, CommId, Emission, Input, JavaRandom, Outbox, Projection, Rulebook, Waiting};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::{News, Said};
use crate::Bot;

/// The person's client. The bots have the next numbers.
const PERSON: CommId = CommId(0);

/// A game that continues until the person has to act.
#[derive(Debug)]
pub(crate) struct Practice {
    game: Game,
    outbox: Outbox<Event, Timer>,
    bots: Vec<PracticeBot>,
    told: Vec<News>,
    over: bool,
}

#[derive(Debug)]
struct PracticeBot {
    view: View,
    bot: Bot,
    random: JavaRandom,
}

impl Practice {
    /// Starts a game in which all players have registered.
    pub(crate) fn new(setup: &Setup, seed: i64, name: &str, bots: &[Bot]) -> Self {
        let mut outbox = Outbox::new();
        let game = Game::start(setup, seed, &mut outbox);
        let seat = |(&bot, at): (&Bot, i64)| PracticeBot {
            view: View::new(setup),
            bot,
            random: JavaRandom::new(seed.wrapping_mul(31).wrapping_add(at)),
        };
        let bots = bots.iter().zip(1..).map(seat).collect();
        let mut practice = Self { game, outbox, bots, told: Vec::new(), over: false };
        practice.told.push(News::Entered { game: "practice".into(), edition: Some(setup.edition) });
        practice.take(PERSON, Command::Register { name: name.into() });
        for at in 1..=practice.bots.len() {
            practice.take(CommId(at as u32), Command::Register { name: format!("bot {at}").into() });
        }
        if practice.game.waiting_for() == Waiting::Anyone {
            practice.take(PERSON, Command::StartGame {});
        }
        practice.go_on();
        practice
    }

    pub(crate) fn play(&mut self, command: Command) {
        self.take(PERSON, command);
        self.go_on();
    }

    /// The news since the last call.
    pub(crate) fn news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.told)
    }

    /// Lets the bots play until the person has to act or the game is over.
    fn go_on(&mut self) {
        while let Waiting::One(client) = self.game.waiting_for()
            && client != PERSON
            && !self.over
        {
            let seat = &mut self.bots[client.0 as usize - 1];
            let command = seat.bot.decide(&seat.view, &mut seat.random);
            self.take(client, command);
        }
        self.told.push(News::Current);
        let why = match self.game.outcome() {
            Some(outcome) => format!("The game is over: {outcome}."),
            None if self.over => "You are out of the game.".into(),
            None => return,
        };
        self.told.push(News::Ended { why, for_good: true });
    }

    fn take(&mut self, client: CommId, command: Command) {
        self.outbox.clear();
        self.game.fold(&Input { elapsed_ms: 0, cause: Cause::Command { client, command } }, &mut self.outbox);
        for emission in self.outbox.emissions() {
            match emission {
                Emission::Event { audience, event } => {
                    let (person, bots) = match audience {
                        Audience::Only(PERSON) => (true, 0..0),
                        Audience::Only(CommId(bot)) => (false, *bot as usize - 1..*bot as usize),
                        Audience::All | Audience::Board => (!self.over, 0..self.bots.len()),
                    };
                    if person {
                        let text =
                            matches!(event, Event::Config {}).then(|| self.game.board().setup().text.to_string());
                        self.told.push(News::Event { event: event.clone(), text });
                    }
                    self.bots[bots].iter_mut().for_each(|seat| seat.view.apply(event));
                }
                Emission::Unseated { client: PERSON } => self.over = true,
                Emission::Unseated { .. } | Emission::Seated { .. } => {}
            }
        }
    }
}

/// Plays a game with the commands of a person until the game is over or the channel is closed.
pub(crate) async fn serve(mut practice: Practice, mut commands: UnboundedReceiver<Said>, news: UnboundedSender<News>) {
    loop {
        for item in practice.news() {
            let last = matches!(item, News::Ended { .. });
            if news.send(item).is_err() || last {
                return;
            }
        }
        match commands.recv().await {
            Some(Said::Command(command)) => practice.play(command),
            Some(Said::Chat(_)) => {
                let _receiver_is_gone = news.send(News::Notice(vec!["Bots do not chat.".into()]));
            }
            None => return,
        }
    }
}
