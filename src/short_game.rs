//! Short games on a host and in the program.

use std::{borrow::Cow, marker::PhantomData};

use cli::{Game, HostBots};
use commlib::{Create, Raw};
use engine::{CommId, JavaRandom, Rulebook};
use script::{ScriptedGame, scripted};
use server::{Adapter, AdapterError, Erased, HostedGame, check_player_name, read_command};
use short::{Chance, Command, Common, Event, Setup, Short, ShortGame, View};

use crate::{
    scripts::{self, ShortScripts},
    short_bots::{RANDOM, ShortBots},
};

/// A short game on a host.
#[derive(Debug)]
pub struct ShortAdapter<G>(PhantomData<fn() -> G>);

impl<G: ShortGame> Adapter for ShortAdapter<G> {
    type Rules = Short<G>;

    fn setup(create: &Create) -> Result<Setup<G>, AdapterError> {
        if let Some(edition) = create.edition.as_ref().filter(|edition| *edition != "standard") {
            return Err(format!("There is no edition {edition:?}; there is one, standard.").into());
        }
        Ok(Setup::new(&create.scenario, create.timeout)?)
    }

    fn command(raw: &Raw<'_>) -> Result<Command<G::Move>, AdapterError> {
        let command = read_command(raw)?;
        if let Command::Common(Common::Join { name }) = &command {
            check_player_name(name)?;
        }
        Ok(command)
    }

    fn words<'a>(_: &'a Setup<G>, event: &'a Event<G::Move, G>) -> Option<Cow<'a, str>> {
        event.words().map(Cow::from)
    }

    fn scenario(setup: &Setup<G>) -> Option<&str> {
        Some(setup.text())
    }

    fn title(scenario: Option<&str>) -> String {
        let known = G::SCENARIOS.iter().find(|(_, text)| Some(*text) == scenario).map(|(name, _)| *name);
        known.unwrap_or(if matches!(scenario, None | Some("{}")) { "standard" } else { "custom" }).into()
    }

    fn about() -> &'static str {
        G::ABOUT
    }

    fn about_scenario(name: &str) -> &'static str {
        G::SCENARIO_WORDS.iter().find(|(known, _)| *known == name).map_or("", |(_, words)| *words)
    }

    fn scenarios() -> Vec<&'static str> {
        ["standard"].into_iter().chain(G::SCENARIOS.iter().map(|(name, _)| *name)).collect()
    }

    fn script(header: &[u8], entries: &mut dyn Iterator<Item = &[u8]>) -> Option<Result<String, AdapterError>> {
        Some(scripts::script::<ShortScripts<G>>(header, entries))
    }

    fn bots(setup: &Setup<G>) -> Vec<(CommId, &str)> {
        setup.bots().collect()
    }

    fn local_bots() -> Vec<&'static str> {
        [RANDOM].into_iter().chain(G::BOTS.iter().map(|bot| bot.name)).collect()
    }

    fn choose(bot: &str, view: &View<G>, random: &mut JavaRandom) -> Option<Command<G::Move>> {
        let bot = G::BOTS.iter().find(|known| known.name == bot)?;
        let (seat, game) = view.turn().zip(view.game())?;
        (bot.choose)(game, seat, &mut Chance::with_seed(random.next_long())).map(Command::Move)
    }

    fn rematch(game: &Short<G>, client: CommId) -> Option<Create> {
        game.seat_of(client)?;
        let setup = game.public().setup();
        Some(Create {
            rulebook: Some(Short::<G>::NAME.into()),
            scenario: setup.text().into(),
            edition: None,
            seed: None,
            timeout: setup.timeout_ms(),
        })
    }
}

/// A short game in the program.
pub(crate) struct ShortProgram<G>(PhantomData<fn() -> G>);

impl<G> ShortProgram<G> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<G: ShortGame> Game for ShortProgram<G> {
    fn hosted(&self) -> &'static dyn HostedGame {
        &Erased::<ShortAdapter<G>>::NEW
    }

    fn scripted(&self) -> Option<&'static dyn ScriptedGame> {
        Some(scripted::<ShortScripts<G>>())
    }

    fn host_bots(&self) -> Option<Box<dyn HostBots>> {
        Some(Box::new(ShortBots::<G>::NEW))
    }
}
