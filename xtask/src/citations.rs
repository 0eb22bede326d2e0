//! Checks the citations of rules: every anchor of a `RULES.md` that a text names exists.
//!
//! Texts cite a section as `games/NAME/RULES.md#anchor`, and inside the folder of the game also as `RULES.md#anchor`. The sections of
//! a game's mutants and the tags of its scripts are anchors as well.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use crate::{failure::Failure, project::Project};

const PAGE: &str = "RULES.md";

/// The files that may cite rules.
const TEXTS: &[&str] = &["html", "java", "js", "json", "md", "mjs", "py", "rs", "script", "toml", "txt"];

/// The anchors of each game's rules.
type Anchors = BTreeMap<String, BTreeSet<String>>;

/// All citations of sections that do not exist, all anchors that exist twice, and all games without rules.
pub(crate) fn check(project: &Project) -> Result<Vec<String>, Failure> {
    let mut findings = Vec::new();
    let mut anchors = Anchors::new();
    for game in project.games()? {
        let path = Path::new("games").join(&game).join(PAGE);
        if !project.root.join(&path).is_file() {
            findings.push(format!("{game} has no {}", path.display()));
            continue;
        }
        let mut known = BTreeSet::new();
        for anchor in anchors_of(&project.read(&path)?) {
            if !known.insert(anchor.to_owned()) {
                findings.push(format!("{}: the anchor {anchor} is there twice", path.display()));
            }
        }
        anchors.insert(game, known);
    }
    for path in project.files()? {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        // Inputs of the fuzz targets are no texts of the project, and this file has examples.
        if TEXTS.contains(&extension) && !path.starts_with("fuzz/corpus") && !path.ends_with("xtask/src/citations.rs") {
            findings.extend(broken(&path, &project.read(&path)?, &anchors));
        }
    }
    Ok(findings)
}

/// The anchors of a page: `<a id="attack"></a>`.
fn anchors_of(page: &str) -> impl Iterator<Item = &str> {
    page.split("<a id=\"").skip(1).filter_map(|rest| rest.split_once('"').map(|(anchor, _)| anchor))
}

/// The citations of a file that lead nowhere.
fn broken(path: &Path, text: &str, anchors: &Anchors) -> Vec<String> {
    let words: Vec<&str> = path.iter().filter_map(|word| word.to_str()).collect();
    let own = if let ["games", game, ..] = words[..] { Some(game) } else { None };
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let cited = line.match_indices("RULES.md#").map(|(at, start)| {
            let game = named_game(&line[..at]).or(own);
            (game, anchor_at(&line[at + start.len()..]))
        });
        // Code that writes citations has a placeholder there.
        let cited = cited.filter(|(_, anchor)| !anchor.is_empty());
        let links = line.split("](#").skip(1).filter(|_| words[..] == ["games", own.unwrap_or_default(), PAGE]);
        let cited = cited.chain(links.map(|rest| (own, anchor_at(rest))));
        for (game, anchor) in cited.chain(listed(&words, line).into_iter().map(|anchor| (own, anchor))) {
            let problem = match game {
                None => "which game's RULES.md is this?".to_owned(),
                // A game that was taken away has no rules, and no one plays it.
                Some(game) if !anchors.contains_key(game) => continue,
                Some(game) if anchors[game].contains(anchor) => continue,
                Some(game) => format!("games/{game}/{PAGE} has no anchor {anchor:?}"),
            };
            findings.push(format!("{}:{number}: {problem}", path.display()));
        }
    }
    findings
}

/// The game that a path before `RULES.md` names: its last folder.
fn named_game(before: &str) -> Option<&str> {
    let path = before.rsplit(|letter: char| !is_path(letter)).next()?;
    let folder = path.strip_suffix('/')?.rsplit('/').next()?;
    (!folder.trim_matches('.').is_empty()).then_some(folder)
}

fn is_path(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_./-".contains(letter)
}

fn anchor_at(text: &str) -> &str {
    let end = text.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    &text[..end.unwrap_or(text.len())]
}

/// The anchors in a line that is a list of them: the section of a game's mutants, or the tags of one of its scripts.
fn listed<'t>(path: &[&str], line: &'t str) -> Vec<&'t str> {
    match path {
        ["games", _, "mutants.txt"] => line.strip_prefix("section ").into_iter().collect(),
        ["games", _, "scripts", .., file] if file.ends_with(".script") => {
            line.strip_prefix("tags:").into_iter().flat_map(|tags| tags.split(',')).map(str::trim).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Anchors, Path, anchors_of, broken};

    #[test]
    fn anchors() {
        let page = "## <a id=\"dice\"></a>1 Dice\n- <a id=\"die-of-six\"></a>Six\n<a href=\"#dice\">";
        assert_eq!(anchors_of(page).collect::<Vec<_>>(), ["dice", "die-of-six"]);
    }

    #[test]
    fn citations() {
        #[track_caller]
        fn check(path: &str, text: &str, problem: Option<&str>) {
            let anchors: Anchors =
                [("ludo".to_owned(), ["dice".to_owned()].into()), ("chess".to_owned(), ["mate".to_owned()].into())]
                    .into();
            let found = broken(Path::new(path), text, &anchors);
            let expected: Vec<String> = problem.into_iter().map(|problem| format!("{path}:1: {problem}")).collect();
            assert_eq!(found, expected, "{text}");
        }
        check("docs/a.md", "see [1](../games/ludo/RULES.md#dice).", None);
        check("docs/a.md", "see games/ludo/RULES.md#mate", Some("games/ludo/RULES.md has no anchor \"mate\""));
        check("docs/a.md", "see games/chess/RULES.md#mate and games/ludo/RULES.md#dice", None);
        check("docs/a.md", "see games/go/RULES.md#ko", None);
        check("docs/a.md", "see RULES.md#dice", Some("which game's RULES.md is this?"));
        check("games/ludo/rules/src/a.rs", "// RULES.md#dice", None);
        check("games/ludo/rules/src/a.rs", "// RULES.md#die", Some("games/ludo/RULES.md has no anchor \"die\""));
        check("games/ludo/README.md", "[a](RULES.md#dice), [b](../chess/RULES.md#mate)", None);
        check("games/ludo/java/README.md", "[a](../RULES.md#dice)", None);
        check("games/ludo/src/a.rs", "format!(\"RULES.md#{section}\")", None);
        check("games/ludo/RULES.md", "see [1](#dice)", None);
        check("games/ludo/RULES.md", "see [1](#mate)", Some("games/ludo/RULES.md has no anchor \"mate\""));
        check("games/ludo/README.md", "see [1](#mate)", None);
        check("games/ludo/mutants.txt", "section dice", None);
        check("games/ludo/mutants.txt", "section 1 Dice", Some("games/ludo/RULES.md has no anchor \"1 Dice\""));
        check("games/ludo/scripts/a/b.script", "tags: dice", None);
        check("games/ludo/scripts/a/b.script", "tags: dice, six", Some("games/ludo/RULES.md has no anchor \"six\""));
        check("games/ludo/scripts/b.txt", "tags: six", None);
    }
}
