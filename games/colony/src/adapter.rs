//! Runs colony on a host.

use std::{borrow::Cow, sync::Mutex};

use colony_rules::{Command, Edition, EditionChoice, Event, Game, Setup, SetupError};
use commlib::{Create, Raw};
use script::scripted;
use server::{Adapter, AdapterError, CommandSender, WebFile, check_player_name, sync::lock};

const WEB: &[WebFile] = server::web_files!(
    "art.js",
    "cards.js",
    "draw.css",
    "draw.js",
    "draw-hidden.js",
    "draw-icons.js",
    "draw-places.js",
    "draw-players.js",
    "houses.js",
    "how.js",
    "labels.js",
    "map-layout.js",
    "map-scene.js",
    "moments.js",
    "poster.svg",
    "refill.js",
    "scenes.js",
    "shapes.svg",
    "story.js",
    "table.css",
    "table.js",
    "targets.js"
);

/// The built-in scenarios for people who choose one, the easiest first.
const EASIEST_FIRST: &[(&str, &str)] = &[
    ("first-night", "Three rounds, two places, one child. The best first game, in ten minutes."),
    ("winter", "Ten rounds, six places, three children. The whole game."),
    ("crossroads", "Winter with cards of fate: the road forks, and all players vote."),
];

/// Colony on a host.
#[derive(Clone, Copy, Debug)]
pub struct Colony;

impl Adapter for Colony {
    type Rules = Game;

    fn setup(create: &Create) -> Result<Setup, AdapterError> {
        let EditionChoice(edition) = match &create.edition {
            Some(edition) => edition.parse().map_err(|error| format!("edition {edition:?}: {error}"))?,
            None => EditionChoice::default(),
        };
        // A test checks the built-in scenarios, so they are not checked here.
        if let Some(text) = crate::scenario(&create.scenario) {
            return Ok(built_in(text, edition)?.with_timeout(create.timeout));
        }
        let text = &*create.scenario;
        // The text of a scenario begins with a brace, perhaps after a byte order mark, and a name does not.
        if !text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
            let name: String = text.chars().take(40).collect();
            let known: Vec<&str> = crate::scenario_names().collect();
            let known = known.join(", ");
            return Err(format!("There is no scenario {name:?}; there are {known}, or send the whole text.").into());
        }
        let problems = crate::check(text);
        if !problems.is_empty() {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            return Err(problems.join("\n").into());
        }
        Ok(Setup::new(text, edition, create.timeout)?)
    }

    fn command(raw: &Raw<'_>) -> Result<Command, AdapterError> {
        let command = read(raw)?;
        if let Command::Register { name } = &command {
            check_player_name(name)?;
        }
        Ok(command)
    }

    /// A client without a seat can take one or start the game. Every other command of it would only fill the log.
    fn admits(_: &Game, command: &Command, sender: &CommandSender<'_>) -> Result<(), AdapterError> {
        let is_for_all = match command {
            Command::Register { .. } | Command::StartGame {} => true,
            Command::SelectCharacters { .. }
            | Command::Move { .. }
            | Command::Attack { .. }
            | Command::Barricade { .. }
            | Command::Search { .. }
            | Command::CleanWaste { .. }
            | Command::ContributeCard { .. }
            | Command::UseCard { .. }
            | Command::UseAbility { .. }
            | Command::EndTurn {}
            | Command::Leave {}
            | Command::Vote { .. }
            | Command::WrongArguments { .. } => false,
        };
        if is_for_all || sender.is_player {
            Ok(())
        } else {
            Err("You have no seat in this game; register first.".into())
        }
    }

    fn words<'a>(setup: &'a Setup, event: &'a Event) -> Option<Cow<'a, str>> {
        if let Event::CommandFailed { refusal } = event {
            return Some(refusal.to_string().into());
        }
        (*event == Event::Config {}).then(|| (&*setup.text).into())
    }

    fn scenario(setup: &Setup) -> Option<&str> {
        Some(&setup.text)
    }

    fn title(scenario: Option<&str>) -> String {
        scenario.and_then(crate::name_of).unwrap_or("custom").into()
    }

    fn script(header: &[u8], entries: &mut dyn Iterator<Item = &[u8]>) -> Option<Result<String, AdapterError>> {
        let recorded = scripted::<Self>().record(header, entries);
        Some(recorded.map(|game| game.print(1, game.scenario())).map_err(Into::into))
    }

    fn about() -> &'static str {
        "Survive the winter together: search, barricade, keep the children fed. 1 to 5 players."
    }

    fn scenarios() -> Vec<&'static str> {
        EASIEST_FIRST.iter().map(|(name, _)| *name).collect()
    }

    fn about_scenario(name: &str) -> &'static str {
        EASIEST_FIRST.iter().find(|(known, _)| *known == name).map_or("", |(_, about)| *about)
    }

    fn web() -> &'static [WebFile] {
        WEB
    }
}

/// A built-in scenario, which is read once for each edition. All games of it share what was read.
fn built_in(text: &'static str, edition: Option<Edition>) -> Result<Setup, SetupError> {
    static READ: Mutex<Vec<(&str, Option<Edition>, Setup)>> = Mutex::new(Vec::new());
    let mut read = lock(&READ);
    if let Some((.., setup)) = read.iter().find(|(other, of, _)| *other == text && *of == edition) {
        return Ok(setup.clone());
    }
    let setup = Setup::new(text, edition, None)?;
    read.push((text, edition, setup.clone()));
    Ok(setup)
}

/// Reads a command. JSON may be positional, such as `["Move", 7, 20]`. A wrong number of arguments gives a command that the
/// game refuses.
fn read(raw: &Raw<'_>) -> Result<Command, String> {
    match raw.json() {
        Some(text) => Command::from_json(text).map_err(|error| error.to_string()),
        None => raw.decode().map_err(|refused| refused.message),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use server::Adapter;

    use super::{Colony, WEB};

    #[test]
    fn every_scenario_is_offered_with_a_sentence() {
        let mut offered = Colony::scenarios();
        assert!(offered.iter().all(|name| Colony::about_scenario(name).ends_with('.')), "{offered:?}");
        offered.sort_unstable();
        assert_eq!(offered, crate::scenario_names().collect::<Vec<_>>());
        assert_eq!(Colony::about_scenario("nothing"), "");
    }

    #[test]
    fn every_file_of_the_pages_is_served() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        let entries = fs::read_dir(folder).expect("the folder is there");
        let mut files: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
        // No page loads the types; they are only for the type checker.
        files.retain(|file| file != "types.js");
        files.sort();
        let mut served: Vec<&str> = WEB.iter().map(|(path, _)| *path).collect();
        served.sort_unstable();
        assert_eq!(served, files);
    }
}
