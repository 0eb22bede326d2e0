//! Scripts of games, which authors write by hand.

use script::{Games, ScriptedGame, SourceError, Sources, format, parse, print};

use super::GAMES;

/// The whole input is a script.
pub fn run(input: &[u8]) {
    let Ok(text) = str::from_utf8(input) else { return };
    let games = Games::new(GAMES.iter().filter_map(|(_, game)| game.scripts));
    let formatted = format(text);
    assert_eq!(format(&formatted), formatted, "a formatted script stays as it is");
    let Ok(script) = parse("fuzz.script", text, &BuiltIn, &games) else { return };
    let again = parse("fuzz.script", &formatted, &BuiltIn, &games).expect("a formatted script can be read");
    assert_eq!(again.transcript, script.transcript, "formatting changes nothing");
    for step in 0..script.transcript.steps.len() {
        let _ = script.line(step);
    }
    let _ = script.setup();
    let printed = print(script.game, &script.transcript, &script.names);
    let again = parse("fuzz.script", &printed, &BuiltIn, &games);
    let again = again.unwrap_or_else(|errors| panic!("a printed script can be read: {errors:?}\n{printed}"));
    assert_eq!(again.transcript, script.transcript, "a script is printed as it was read");
}

/// Scripts may name built-in scenarios, and no files.
struct BuiltIn;

impl Sources for BuiltIn {
    fn scenario(&self, game: &dyn ScriptedGame, name: &str) -> Result<String, SourceError> {
        game.built_in(name).map(str::to_owned).ok_or_else(|| SourceError::NotFound(name.into()))
    }

    fn include(&self, _: &str, name: &str) -> Result<(String, String), SourceError> {
        Err(SourceError::NotFound(name.into()))
    }
}
