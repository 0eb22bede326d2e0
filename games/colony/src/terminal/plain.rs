//! A game as lines and numbered choices: for screen readers, scripts and simple terminals.

use colony_rules::{Board, CardIx, CharacterIx, Command, Life, LocationIx, Phase, View};

use super::{Session, session::Chosen};

/// The result of a line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Lines(Vec<String>),
    Command(Command),
    Chat(String),
    Quit,
}

/// Handles a line of input: the number of a choice, or a letter.
pub(crate) fn take(session: &mut Session, line: &str) -> Step {
    match line.trim() {
        "" => Step::Lines(Vec::new()),
        "q" | "quit" => Step::Quit,
        "?" | "help" => Step::Lines(help(session.view.as_ref())),
        "b" | "board" => Step::Lines(session.view.as_ref().map(board).unwrap_or_default()),
        "0" => {
            session.back();
            Step::Lines(Vec::new())
        }
        line if line.starts_with('/') => Step::Chat(line[1..].to_owned()),
        word => match word.parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
            None => {
                Step::Lines(vec!["Type a number, ? for help, b for the board, /TEXT to chat, or q to quit.".into()])
            }
            Some(at) => match session.choose(at) {
                Chosen::Opened => Step::Lines(Vec::new()),
                Chosen::Command(command) => Step::Command(command),
                Chosen::Not(why) => Step::Lines(vec![format!("Not now: {why}")]),
                Chosen::Nothing => Step::Lines(vec!["There is no such choice.".into()]),
            },
        },
    }
}

/// The round, the stock and the crisis.
pub(crate) fn summary(board: &Board) -> Vec<String> {
    let scenario = &board.setup().scenario;
    let whose = match board.phase {
        Phase::Turns { player: Some(player) } => format!("; {} has the turn", board.player(player).name),
        Phase::Registration
        | Phase::Preparation { .. }
        | Phase::Turns { player: None }
        | Phase::Colony
        | Phase::Over { .. } => String::new(),
    };
    let mut lines = vec![
        format!("Round {} of {}{whose}", board.round, scenario.goal.rounds),
        format!(
            "Morale {}, food {} (needs {}), waste {}, starvation {}, children {}",
            board.morale,
            board.food,
            board.mouths(),
            board.waste,
            board.starvation_tokens,
            board.children
        ),
    ];
    if let Some(crisis) = board.crisis.map(|crisis| scenario.crisis(crisis)) {
        lines.push(format!(
            "Crisis: {} of {} {} given, or morale {:+}",
            board.contributed,
            crisis.required_cards,
            crisis.kind.key(),
            -i64::from(crisis.moral_change)
        ));
    }
    lines
}

/// The whole board as lines.
pub(crate) fn board(view: &View) -> Vec<String> {
    let board = &view.board;
    let mut lines = summary(board);
    for place in (0..board.setup().scenario.locations.len()).map(LocationIx::from) {
        lines.extend(location(board, place));
    }
    for player in &board.players {
        let gone = if player.present { "" } else { ", out of the game" };
        lines.push(format!("{}{gone}: dice {}; hand: {}", player.name, player.dice, hand(board, &player.hand)));
    }
    lines
}

/// A place with its entrances, and a line for each survivor there.
pub(crate) fn location(board: &Board, place: LocationIx) -> Vec<String> {
    let scenario = &board.setup().scenario;
    let entrances = board.entrances(place).iter().zip(0..);
    let entrances = entrances.map(|(entrance, at)| {
        format!("entrance {at}: {} zombies, {} barricades", entrance.zombies, entrance.barricades)
    });
    let entrances: Vec<String> = entrances.collect();
    let mut name = board.location_name(place);
    if place != scenario.colony {
        name += &format!(", {} cards", board.stack(place));
    }
    let mut lines = vec![format!("{name}: {}", entrances.join("; "))];
    lines.extend(board.survivors_at(place).map(|character| format!("  {}", survivor(board, character))));
    lines
}

/// A survivor with its owner, injuries and equipment.
pub(crate) fn survivor(board: &Board, character: CharacterIx) -> String {
    let survivor = board.survivor(character);
    let mut text =
        format!("{} of {}", board.setup().scenario.character(character).name, board.player(survivor.owner).name);
    for (count, what) in [(survivor.wounds, "wounds"), (survivor.frostbites, "frostbites")] {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    }
    for worn in &survivor.worn {
        text += &format!(", {}{}", short(board, worn.card), if worn.used { " (used)" } else { "" });
    }
    if survivor.moved {
        text += ", has moved";
    }
    text
}

/// The name of a card.
pub(crate) fn short(board: &Board, card: CardIx) -> String {
    board.setup().card_name(card)
}

/// The cards by kind, with their counts.
pub(crate) fn hand(board: &Board, cards: &[CardIx]) -> String {
    let mut sorts: Vec<(String, usize)> = Vec::new();
    for &card in cards {
        let name = short(board, card);
        match sorts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => sorts.push((name, 1)),
        }
    }
    if sorts.is_empty() {
        return "no cards".into();
    }
    let words = sorts.into_iter().map(|(name, count)| if count == 1 { name } else { format!("{count} x {name}") });
    words.collect::<Vec<_>>().join(", ")
}

/// The rules in brief, and the cards and abilities of the scenario.
pub(crate) fn help(view: Option<&View>) -> Vec<String> {
    let mut lines: Vec<String> = INTRODUCTION.lines().map(Into::into).collect();
    let Some(view) = view else { return lines };
    let (board, setup) = (&view.board, view.board.setup());
    lines.push(format!("The goal: {} The game is lost when the morale falls to 0.", setup.tell_goal()));
    lines.push("Cards:".into());
    let mut known: Vec<String> = Vec::new();
    for card in (0..setup.scenario.cards.len()).map(CardIx::from) {
        let text = card_help(view, card);
        if !known.contains(&text) {
            known.push(text);
        }
    }
    known.sort();
    lines.extend(known.into_iter().map(|text| format!("  {text}")));
    lines.push("Characters in the game:".into());
    let characters = (0..setup.scenario.characters.len()).map(CharacterIx::from);
    let alive = characters.filter(|&character| board.survivor(character).life == Life::Alive);
    lines.extend(alive.map(|character| format!("  {}", board.tell_character(character))));
    lines
}

const INTRODUCTION: &str = "\
Every round you have one die for each of your characters, and one more. Attacking and searching take a die that is high
enough; building a barricade and disposing of waste take any die. Moving without fuel and attacking may injure; the third
injury kills, a bite kills at once and spreads. At the end of the round the colony eats, waste costs morale, the crisis must
have been answered, and zombies come: one for every two in the colony, one for each survivor elsewhere. An entrance has
three places for zombies and barricades. Where none is free, a barricade falls, or a survivor or child dies.";

/// A card and its effect. For equipment, also its effect when a character wears it.
fn card_help(view: &View, card: CardIx) -> String {
    let text = view.board.setup().tell_card(card);
    match view.board.card_kind(card).properties().hint {
        "" => text,
        hint => format!("{text}: {hint}"),
    }
}
