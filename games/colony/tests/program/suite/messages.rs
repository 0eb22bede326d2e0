//! The messages of whole games among bots.

use colony::{strategy, table::Table};
use colony_rules::{Event, Game, Setup};
use commlib::{FromClient, NumberedEvent, ToClient};

use crate::protocol::python::Messages;

pub(super) fn play_all(messages: &mut Messages) {
    for scenario in ["first-night", "winter", "crossroads"] {
        for (seed, bot) in [(7, "sensible"), (-3, "random"), (2026, "random")] {
            play(scenario, seed, bot, messages);
        }
    }
}

/// Adds every command and every event of a game among bots.
fn play(scenario: &str, seed: i64, bot: &str, messages: &mut Messages) {
    let text = colony::scenario(scenario).expect("a built-in scenario");
    let setup = Setup::new(text, None, None).expect("built-in scenarios are sound");
    let players = usize::from(setup.scenario.max_players);
    let mut table = Table::new(&setup, seed, &vec![strategy(bot).expect("a known bot").bot; players]);
    let mut number = 0;
    while let Some((client, command)) = table.next_command() {
        messages.said::<Game>(FromClient::Command(command.clone()));
        table.play(client, command);
        for (_, event) in table.outbox().events() {
            number += 1;
            messages.told::<Game>(ToClient::Event(NumberedEvent {
                number,
                event: event.clone(),
                text: words(text, event),
            }));
        }
    }
}

/// The text that the server sends with an event.
fn words(scenario: &str, event: &Event) -> Option<String> {
    if let Event::CommandFailed { refusal } = event {
        return Some(refusal.to_string());
    }
    (*event == Event::Config {}).then(|| scenario.to_owned())
}
