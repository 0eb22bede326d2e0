//! Checks which modules of a crate use which, and that shared crates name no game.
//!
//! The rules are data: [`LAYERS`] and [`NAMELESS`]. Sources are read as text: paths that begin with `crate::`, or with enough
//! `super::` to reach the root of the crate. Tests may use every module, so code behind `#[cfg(test)]` does not count.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use crate::{
    failure::Failure,
    project::Project,
    workspace::{Package, Workspace},
};

/// A crate with more lines than this must have layers in [`LAYERS`].
const LARGE: usize = 3_000;

/// The modules of large crates in layers: a module uses only modules of rows above its own.
const LAYERS: &[(&str, &[&str])] = &[
    // The package of the program.
    (
        "",
        &[
            "account cluster completions config dev host_limits host_people keep log registry rng scripts shared short_bots short_laws",
            "hosted",
            "host new short_game",
            "app",
        ],
    ),
    (
        "cli",
        &[
            "address ansi bots duration elo menu moment plural program_name schedule secret_file wilson",
            "output",
            "browser cluster_port progress serving tls",
            "game logging threads",
            "measure",
            "any_game",
        ],
    ),
    (
        "engine",
        &[
            "client json_diff message mutants random",
            "offers outbox results",
            "rulebook seats",
            "log shown",
            "replay",
            "laws",
        ],
    ),
    ("games/colony", &["bots scenarios", "adapter remote table terminal", "bot_client script", "program"]),
    (
        "games/colony/rules",
        &[
            "dice ids",
            "command scenario",
            "edition",
            "refusal setup",
            "event opening",
            "board",
            "view",
            "game",
            "determinize rules shown",
            "offers",
            "rulebook",
        ],
    ),
    ("games/crazyhouse", &["bots chess", "record", "analysis", "adapter", "opponents script", "commands", "program"]),
    (
        "games/crazyhouse/rules",
        &[
            "piece square",
            "attacks command moves outcome",
            "position",
            "generate notation perft reach texts",
            "refusal setup",
            "contest event",
            "board",
            "game view",
            "offers rules shown",
            "rulebook",
        ],
    ),
    (
        "games/project",
        &["adapter documents link_error local trace", "communication game_master players", "program", "script"],
    ),
    (
        "games/project/rules",
        &[
            "lots refusal scenarios switches team",
            "member",
            "words",
            "answer area command note outcome problem",
            "event seen setup",
            "ground view",
            "player",
            "board knowledge",
            "game",
            "asked",
            "rules shown",
            "rulebook",
        ],
    ),
    ("games/treasure", &["documents errors", "players records", "adapter", "gateway", "program", "script"]),
    (
        "games/treasure/rules",
        &[
            "map player",
            "command fields mask node outcome profile",
            "chart half",
            "border setup",
            "refusal",
            "event",
            "board",
            "private",
            "view",
            "game",
            "asked",
            "offers rules shown",
            "rulebook",
        ],
    ),
    (
        "script",
        &[
            "script_error step stored token wanted",
            "client names partial spoken wire",
            "transcript",
            "recorded",
            "wishes",
            "adapter",
            "any received",
            "local pattern",
            "recording",
            "game random_game",
            "call",
            "header print script",
            "erased format json parse",
            "random_wishes",
        ],
    ),
    (
        "server",
        &[
            "bots client_address clock counters host_name interner presence replacing retention sync tls web_origin whole without_tls world",
            "access address_limits log moderation names",
            "adapter cluster host_store metrics",
            "accounts chronicle handle limits local progress story stream",
            "peer",
            "room",
            "erased",
            "fork recovery redaction web_sources",
            "host standalone",
            "gateway",
            "http",
            "cluster_port",
        ],
    ),
    (
        "simulation",
        &[
            "coverage freeze planted random table",
            "bot link observer",
            "http ledger network port wire",
            "host_links store world",
            "site",
            "player",
            "faults games",
            "run",
            "batch mutants",
        ],
    ),
    (
        "runner",
        &[
            "files limits play ports recording seeds serve",
            "process selection",
            "target",
            "connection local run",
            "batch broker mutants remote",
            "programs report",
            "grade",
            "commands",
        ],
    ),
    (
        "xtask",
        &[
            "failure licence",
            "project",
            "run",
            "workspace",
            "mutants",
            "package",
            "architecture citations dependencies examples features fuzz modules no_std packages removal upgrade words",
            "test",
        ],
    ),
];

/// The folders of crates that must not name a game.
const NAMELESS: &[&str] = &["cli", "clients", "commlib", "engine", "resources", "script", "server", "short", "xml"];

/// Games whose names are everyday words: these are allowed in comments, but not in code.
const EVERYDAY: &[&str] = &["project"];

/// All findings.
pub(crate) fn check(project: &Project) -> Result<Vec<String>, Failure> {
    let packages = Workspace::read(project)?.packages;
    let files = project.files()?;
    let games: BTreeSet<&str> = packages.iter().filter_map(Package::game).collect();
    let mut findings = Vec::new();
    for package in &packages {
        let mut sources = Vec::new();
        for path in files.iter().filter(|path| path.starts_with(package.directory.join("src")) && is_rust(path)) {
            let inside = path.strip_prefix(package.directory.join("src")).unwrap_or(path).to_owned();
            sources.push((inside, project.read(path)?));
        }
        let name = package.directory.display().to_string();
        let lines = sources.iter().map(|(_, text)| text.lines().count()).sum::<usize>();
        let graph = Graph::read(&sources);
        if let Some(cycle) = graph.cycle() {
            findings.push(format!("{name}: modules in a cycle: {}", cycle.join(" -> ")));
        }
        let layers = LAYERS.iter().find(|(directory, _)| *directory == name).map(|(_, rows)| *rows);
        match layers {
            Some(rows) => findings.extend(graph.outside(rows).into_iter().map(|finding| format!("{name}: {finding}"))),
            None if lines > LARGE => {
                findings.push(format!("{name} has {lines} lines and no layers in xtask/src/modules.rs"));
            }
            None => {}
        }
        if NAMELESS.contains(&name.as_str()) {
            let manifest = project.read(package.directory.join("Cargo.toml"))?;
            let texts = sources.iter().map(|(path, text)| (path.display().to_string(), text.as_str()));
            for (path, text) in texts.chain([("Cargo.toml".to_owned(), manifest.as_str())]) {
                findings.extend(named(text, &games).map(|finding| format!("{name}/{path}: {finding}")));
            }
        }
    }
    Ok(findings)
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// The first line that names a game.
fn named(text: &str, games: &BTreeSet<&str>) -> Option<String> {
    let names = |line: &str, game: &str| {
        let line = line.to_lowercase();
        line.match_indices(game).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + game.len()..].chars().next();
            let is_word = |near: Option<char>| !near.is_some_and(char::is_alphanumeric);
            let in_code = matches!(after, Some(':' | '/' | '"' | '_' | '-')) || matches!(before, Some('/' | '"' | '_'));
            is_word(before) && is_word(after) && (in_code || !EVERYDAY.contains(&game))
        })
    };
    (1..).zip(text.lines()).find_map(|(number, line)| {
        let game = games.iter().find(|game| names(line, game))?;
        Some(format!("line {number} names the game {game}"))
    })
}

/// The modules at the root of a crate, and the modules that each uses.
#[derive(Debug, Default)]
struct Graph {
    knows: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// Reads the sources of a crate, with their paths below `src`.
    fn read(sources: &[(PathBuf, String)]) -> Self {
        let mut graph = Self::default();
        let module = |path: &Path| {
            let first = path.iter().next()?.to_str()?;
            let name = first.strip_suffix(".rs").unwrap_or(first);
            (!["lib", "main", "bin", "tests"].contains(&name)).then(|| name.to_owned())
        };
        for name in sources.iter().filter_map(|(path, _)| module(path)) {
            graph.knows.entry(name).or_default();
        }
        let exported = sources.iter().find(|(path, _)| path == Path::new("lib.rs"));
        let exported = exported.map(|(_, text)| exports(&code(text))).unwrap_or_default();
        for (path, text) in sources {
            let Some(name) = module(path) else { continue };
            if path.iter().any(|part| part == "tests" || part == "tests.rs") {
                continue;
            }
            let depth = path.iter().count() - usize::from(path.file_name().is_some_and(|file| file == "mod.rs"));
            for word in roots(&code(text), depth) {
                let known = exported.get(&word).unwrap_or(&word);
                if *known != name && graph.knows.contains_key(known) {
                    graph.knows.entry(name.clone()).or_default().insert(known.clone());
                }
            }
        }
        graph
    }

    /// Modules that use each other in a cycle.
    fn cycle(&self) -> Option<Vec<String>> {
        let mut done = BTreeSet::new();
        self.knows.keys().find_map(|start| self.visit(start, &mut Vec::new(), &mut done))
    }

    fn visit(&self, module: &str, way: &mut Vec<String>, done: &mut BTreeSet<String>) -> Option<Vec<String>> {
        if let Some(at) = way.iter().position(|before| before == module) {
            return Some(way[at..].iter().cloned().chain([module.to_owned()]).collect());
        }
        if done.contains(module) {
            return None;
        }
        way.push(module.to_owned());
        let found = self.knows.get(module).and_then(|known| known.iter().find_map(|next| self.visit(next, way, done)));
        way.pop();
        done.insert(module.to_owned());
        found
    }

    /// The modules that violate the layers of a crate.
    fn outside(&self, rows: &[&str]) -> Vec<String> {
        let row = |module: &str| rows.iter().position(|row| row.split_whitespace().any(|word| word == module));
        let mut findings = Vec::new();
        for (module, known) in &self.knows {
            let Some(own) = row(module) else {
                findings.push(format!("the module {module} is in no layer"));
                continue;
            };
            let above = |other: &&String| row(other).is_some_and(|other| other >= own);
            findings.extend(
                known.iter().filter(above).map(|other| format!("{module} knows {other}, which is not above it")),
            );
        }
        let listed = rows.iter().flat_map(|row| row.split_whitespace());
        let gone = listed.filter(|word| !self.knows.contains_key(*word));
        findings.extend(gone.map(|word| format!("there is no module {word}, but a layer has it")));
        findings
    }
}

/// The source without comments and without test code.
fn code(text: &str) -> String {
    let opens = |line: &str| line.starts_with("mod ") && line.contains('{');
    let lines: Vec<&str> = text.lines().collect();
    // A test module within the file is its last item. A test module in another file is a single line, which does no harm.
    let tests = lines.windows(2).position(|pair| pair[0] == "#[cfg(test)]" && opens(pair[1])).unwrap_or(lines.len());
    let without_comment = |line: &&str| line.find("//").map_or(*line, |at| &line[..at]).to_owned();
    lines[..tests].iter().map(|line| without_comment(line) + "\n").collect()
}

/// The names that `lib.rs` re-exports from its modules: `pub use room::{Room, RoomEnd}`.
fn exports(code: &str) -> BTreeMap<String, String> {
    let mut exports = BTreeMap::new();
    for statement in code.split("pub use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or_default();
        let Some((module, names)) = statement.split_once("::") else { continue };
        let names = names.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        exports.extend(names.filter(|name| !name.is_empty()).map(|name| (name.to_owned(), module.trim().to_owned())));
    }
    exports
}

/// The first name of every path that begins at the root of the crate. The file is `depth` modules deep.
fn roots(code: &str, depth: usize) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for prefix in ["crate::".to_owned(), "super::".repeat(depth)] {
        for (at, _) in code.match_indices(&prefix) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == ':' || letter == '$')
            {
                continue;
            }
            let rest = &code[at + prefix.len()..];
            match rest.strip_prefix('{') {
                Some(group) => found.extend(first_words(group)),
                None => found.extend(word(rest)),
            }
        }
    }
    found
}

fn word(text: &str) -> Option<String> {
    let word: String = text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    (!word.is_empty()).then_some(word)
}

/// The first name of each path in a group, up to the closing brace.
fn first_words(group: &str) -> Vec<String> {
    let (mut depth, mut expected, mut words) = (0, true, Vec::new());
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => expected = true,
            _ if expected && depth == 0 && !letter.is_whitespace() => {
                words.extend(word(&group[at..]));
                expected = false;
            }
            _ => {}
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(sources: &[(&str, &str)]) -> Graph {
        let sources: Vec<_> = sources.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
        Graph::read(&sources)
    }

    #[test]
    fn modules_that_know_each_other() {
        fn check(sources: &[(&str, &str)], expected: Option<&str>) {
            assert_eq!(graph(sources).cycle().map(|cycle| cycle.join(" ")).as_deref(), expected, "{sources:?}");
        }
        let library = ("lib.rs", "mod a;\nmod b;\npub use b::{Bee, Boo};\n");
        check(&[library, ("a.rs", ""), ("b.rs", "use crate::a::Ant;")], None);
        check(&[library, ("a.rs", "use crate::b;"), ("b.rs", "use crate::a::Ant;")], Some("a b a"));
        check(&[library, ("a.rs", "use super::b;"), ("b.rs", "use crate::{std, a::Ant};")], Some("a b a"));
        check(&[library, ("a.rs", "fn f() { crate::Bee::f() }"), ("b.rs", "use crate::a;")], Some("a b a"));
        check(
            &[library, ("a/deep.rs", "use super::super::b;"), ("a.rs", ""), ("b.rs", "use crate::a;")],
            Some("a b a"),
        );
        check(&[library, ("a/deep.rs", "use super::b;"), ("a.rs", ""), ("b.rs", "use crate::a;")], None);
        check(&[library, ("a.rs", "// use crate::b;\n/// [`crate::b`]"), ("b.rs", "use crate::a;")], None);
        check(&[library, ("a.rs", "#[cfg(test)]\nmod tests { use crate::b; }"), ("b.rs", "use crate::a;")], None);
        check(&[library, ("a.rs", "use crate::{x::{y, b}, z};"), ("b.rs", "use crate::a;")], None);
        let tested = ("lib.rs", "mod a;\nmod b;\n#[cfg(test)]\nmod tests;\n\npub use b::Bee;\n");
        check(&[tested, ("a.rs", "use crate::Bee;"), ("b.rs", "use crate::a;")], Some("a b a"));
        let third = ("c.rs", "use crate::a;");
        check(&[library, ("a.rs", "use crate::b;"), ("b.rs", "use crate::c;"), third], Some("a b c a"));
    }

    #[test]
    fn modules_outside_their_layers() {
        fn check(rows: &[&str], expected: &[&str]) {
            let graph = graph(&[("lib.rs", ""), ("a.rs", ""), ("b.rs", "use crate::a;"), ("c.rs", "use crate::b;")]);
            assert_eq!(graph.outside(rows), expected, "{rows:?}");
        }
        check(&["a", "b", "c"], &[]);
        check(&["a b", "c"], &["b knows a, which is not above it"]);
        check(&["a", "c", "b"], &["c knows b, which is not above it"]);
        check(&["a", "b"], &["the module c is in no layer"]);
        check(&["a", "b", "c d"], &["there is no module d, but a layer has it"]);
    }

    #[test]
    fn games_that_are_named() {
        fn check(line: &str, named_one: bool) {
            let games = BTreeSet::from(["colony", "project"]);
            assert_eq!(named(line, &games).is_some(), named_one, "{line}");
        }
        check("a game is folded", false);
        check("use colony_rules::Game;", true);
        check("the Colony on a host", true);
        check("colonial furniture", false);
        check("the project is built", false);
        check("what we project.", false);
        check("use project_rules::Game;", true);
        check("games/project/rules", true);
        check("\"project\"", true);
    }
}
