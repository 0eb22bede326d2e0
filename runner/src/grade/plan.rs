//! The plan of a grading: `teams.toml`.

use std::{
    collections::BTreeSet,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use script::Games;
use serde::Deserialize;

use super::Tests;
use crate::{
    files,
    ports::{NotPorts, PortRange},
    selection::Selection,
};

/// What is graded, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The title of the table.
    pub title: String,
    /// The points that a team needs to pass.
    pub pass_points: f64,
    /// Whether the words of a server that refuses a scenario do not matter.
    pub any_words: bool,
    /// The ports that servers get.
    pub ports: PortRange,
    /// What a team may use.
    pub limits: TeamLimits,
    /// The groups of tests.
    pub groups: Vec<Group>,
    /// The teams.
    pub teams: Vec<Team>,
}

/// What the server of a team may use.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TeamLimits {
    /// Seconds for a server to open its port, and for each answer.
    pub patience: u64,
    /// Seconds for one script.
    pub script_seconds: u64,
    /// Seconds for all scripts of a team.
    pub team_seconds: u64,
    /// Resident memory of a server and its processes, in MiB.
    pub memory_mib: u64,
    /// Processes of a server.
    pub processes: usize,
}

impl Default for TeamLimits {
    fn default() -> Self {
        Self { patience: 10, script_seconds: 120, team_seconds: 1800, memory_mib: 1024, processes: 32 }
    }
}

/// A group of tests.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The name, a column of the table.
    pub name: String,
    /// Files and folders with scripts, relative to the plan.
    pub paths: Vec<PathBuf>,
    /// Only scripts with one of these tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// No scripts with one of these tags.
    #[serde(default)]
    pub without_tags: Vec<String>,
    /// Only scripts with this text in their name.
    pub filter: Option<String>,
    /// The points for all tests of the group. Each test has the same share.
    pub points: f64,
    /// The percentage of tests that a team needs to pass the group.
    #[serde(default)]
    pub pass_percent: u32,
    /// Whether a team that does not pass this group fails as a whole.
    #[serde(default)]
    pub mandatory: bool,
    /// Whether teams do not see the tests, only how many of them passed.
    #[serde(default)]
    pub hidden: bool,
    /// Whether a team gets the points only if it passes all tests.
    #[serde(default)]
    pub all_or_nothing: bool,
}

/// A team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    /// The name, a row of the table.
    pub name: String,
    /// The working directory of its server.
    pub folder: PathBuf,
    /// The command of its server, with placeholders.
    pub server: String,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    pass_points: f64,
    #[serde(default)]
    any_words: bool,
    ports: Option<String>,
    #[serde(default)]
    limits: TeamLimits,
    #[serde(default)]
    group: Vec<Group>,
    #[serde(default)]
    team: Vec<WrittenTeam>,
    every_folder: Option<EveryFolder>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTeam {
    name: String,
    folder: PathBuf,
    /// By default that of `every_folder`.
    server: Option<String>,
}

/// A team for each folder in a folder.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EveryFolder {
    path: Option<PathBuf>,
    server: String,
}

/// Why a plan cannot be used.
#[derive(Debug)]
pub enum PlanError {
    /// The file cannot be read.
    Read(PathBuf, io::Error),
    /// The text is not TOML, or has an unknown key.
    Toml(PathBuf, toml::de::Error),
    /// There is no group.
    NoGroups,
    /// There is no team.
    NoTeams,
    /// Two groups or two teams have the same name.
    Twice(String),
    /// The name of a team cannot be the name of a file.
    TeamName(String),
    /// The folder of a team is missing.
    NoFolder(String, PathBuf),
    /// The team has no server command.
    NoServer(String),
    /// A path of a group is missing.
    NoPath(String, PathBuf),
    /// A group has no scripts.
    NoScripts(String, String),
    /// A script of a group cannot be read.
    Script(String, String),
    /// A number is out of bounds.
    Number(&'static str, &'static str),
    /// The ports are wrong.
    Ports(NotPorts),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Toml(path, error) => write!(f, "{}: {}", path.display(), error.to_string().trim_end()),
            Self::NoGroups => f.write_str("the plan has no [[group]] with tests; `systest grade --help` shows one"),
            Self::NoTeams => f.write_str("the plan has no [[team]], and no [every_folder] with a folder in it"),
            Self::Twice(name) => write!(f, "{name:?} occurs twice"),
            Self::TeamName(name) => write!(
                f,
                "{name:?} cannot be a team's name: it begins with a letter or digit, and has only letters, digits, spaces, `.`, `_`, `-`"
            ),
            Self::NoFolder(team, folder) => write!(f, "team {team}: there is no folder {}", folder.display()),
            Self::NoServer(team) => write!(f, "team {team} has no `server`, and there is no [every_folder] with one"),
            Self::NoPath(group, path) => write!(f, "group {group}: there is no file or folder {}", path.display()),
            Self::NoScripts(group, why) => write!(f, "group {group} has no tests: {why}"),
            Self::Script(group, error) => write!(f, "group {group} has a script that cannot be read:\n{error}"),
            Self::Number(key, bounds) => write!(f, "{key} must be {bounds}"),
            Self::Ports(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// Reads a plan. Its paths are relative to the file.
    ///
    /// # Errors
    /// If the file cannot be read, or something in it is wrong.
    pub fn read(file: &Path) -> Result<(Self, String), PlanError> {
        let text = fs::read_to_string(file).map_err(|error| PlanError::Read(file.into(), error))?;
        Ok((Self::parse(file, &text)?, text))
    }

    fn parse(file: &Path, text: &str) -> Result<Self, PlanError> {
        let written: Written = toml::from_str(text).map_err(|error| PlanError::Toml(file.into(), error))?;
        let base = file.parent().unwrap_or(Path::new(""));
        let base = fs::canonicalize(if base == Path::new("") { Path::new(".") } else { base })
            .map_err(|error| PlanError::Read(file.into(), error))?;
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let ports = written.ports.as_deref().map_or(Ok(PortRange::default()), PortRange::parse);
        let mut groups = written.group;
        for group in &mut groups {
            group.paths.iter_mut().for_each(|path| *path = base.join(&path));
        }
        let plan = Self {
            title: written.title.unwrap_or(stem),
            pass_points: written.pass_points,
            any_words: written.any_words,
            ports: ports.map_err(PlanError::Ports)?,
            limits: written.limits,
            groups,
            teams: teams(&base, written.team, written.every_folder)?,
        };
        plan.check()?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), PlanError> {
        let Self { groups, teams, limits, .. } = self;
        if groups.is_empty() {
            return Err(PlanError::NoGroups);
        }
        if teams.is_empty() {
            return Err(PlanError::NoTeams);
        }
        let mut names = BTreeSet::new();
        for name in groups.iter().map(|group| format!("group {}", group.name)) {
            if !names.insert(name.clone()) {
                return Err(PlanError::Twice(name));
            }
        }
        for team in teams {
            // Teams become files, and some systems do not tell `A` from `a`.
            if !names.insert(team.name.to_lowercase()) {
                return Err(PlanError::Twice(team.name.clone()));
            }
            if !is_team_name(&team.name) {
                return Err(PlanError::TeamName(team.name.clone()));
            }
            if !team.folder.is_dir() {
                return Err(PlanError::NoFolder(team.name.clone(), team.folder.clone()));
            }
        }
        let is_points = |points: f64| (0.0..=1_000_000.0).contains(&points);
        if !is_points(self.pass_points) || !groups.iter().all(|group| is_points(group.points)) {
            return Err(PlanError::Number("points", "from 0 to 1,000,000"));
        }
        if groups.iter().any(|group| group.pass_percent > 100) {
            return Err(PlanError::Number("pass_percent", "from 0 to 100"));
        }
        let times = [limits.patience, limits.script_seconds, limits.team_seconds, limits.memory_mib];
        if times.iter().any(|&number| !(1..=1_000_000).contains(&number)) || limits.processes == 0 {
            return Err(PlanError::Number("each of [limits]", "from 1 to 1,000,000"));
        }
        Ok(())
    }

    /// Reads the scripts of all groups.
    ///
    /// # Errors
    /// If a group has none, or one cannot be read.
    pub fn tests(&self, games: &Games) -> Result<Tests, PlanError> {
        let mut tests = Tests { scripts: Vec::new(), groups: Vec::new() };
        for group in &self.groups {
            let mut found = Vec::new();
            for path in &group.paths {
                if !path.exists() {
                    return Err(PlanError::NoPath(group.name.clone(), path.clone()));
                }
                found.extend(files::find(path, games));
            }
            let (filter, tags) = (group.filter.clone(), group.tags.clone());
            let selection = Selection { filter, tags, without_tags: group.without_tags.clone() };
            if let Some((tag, help)) = selection.unknown_tag(&found) {
                return Err(PlanError::NoScripts(group.name.clone(), format!("no script has the tag {tag}; {help}")));
            }
            found.retain(|found| selection.wants(found));
            let mut members = Vec::new();
            for found in found {
                if let Err(error) = &found.script {
                    return Err(PlanError::Script(group.name.clone(), format!("{}: {error}", found.place)));
                }
                let known = tests.scripts.iter().position(|other| other.place == found.place);
                members.push(known.unwrap_or_else(|| {
                    tests.scripts.push(found);
                    tests.scripts.len() - 1
                }));
            }
            if members.is_empty() {
                return Err(PlanError::NoScripts(group.name.clone(), "its paths, tags and filter leave none".into()));
            }
            tests.groups.push(members);
        }
        Ok(tests)
    }
}

fn teams(base: &Path, written: Vec<WrittenTeam>, every: Option<EveryFolder>) -> Result<Vec<Team>, PlanError> {
    let default = every.as_ref().map(|every| every.server.clone());
    let mut teams = Vec::new();
    for WrittenTeam { name, folder, server } in written {
        let server = server.or_else(|| default.clone()).ok_or_else(|| PlanError::NoServer(name.clone()))?;
        teams.push(Team { folder: base.join(folder), name, server });
    }
    let Some(EveryFolder { path: Some(path), server }) = every else { return Ok(teams) };
    let path = base.join(path);
    let unreadable = |error| PlanError::Read(path.clone(), error);
    let mut folders = Vec::new();
    for entry in fs::read_dir(&path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() && !name.starts_with('.') {
            folders.push(Team { name, folder: entry.path(), server: server.clone() });
        }
    }
    folders.sort_by(|a, b| a.name.cmp(&b.name));
    teams.extend(folders);
    Ok(teams)
}

fn is_team_name(name: &str) -> bool {
    let is_inner = |letter: char| letter.is_alphanumeric() || " ._-".contains(letter);
    name.starts_with(char::is_alphanumeric) && name.chars().all(is_inner) && name.chars().count() <= 60
}
