//! Bots on generated scenarios, including the largest possible numbers.

use colony::{STRATEGIES, script::generate, table::Table};
use colony_rules::{Edition, Game, Setup};
use engine::Rulebook;

#[test]
fn any_scenario_is_played_to_its_end() {
    for edition in Edition::ALL {
        for number in 0..400 {
            let text = generate::scenario(edition, number);
            let setup = Setup::new(&text, Some(edition), None).expect("generated scenarios are sound");
            for strategy in STRATEGIES {
                let mut table = Table::new(&setup, number, &vec![strategy.bot; setup.scenario.max_players.into()]);
                while let Some((client, command)) = table.next_command() {
                    table.play(client, command);
                    let refused = table.outbox().events().any(|(_, event)| Game::is_refusal(event));
                    assert!(!refused || strategy.name == "random", "{edition} {number}: sensible checks what it tries");
                    assert!(table.commands < 100_000, "{edition} {number}: {} never ends its turn", strategy.name);
                }
                assert!(table.game().outcome().is_some());
            }
        }
    }
}
