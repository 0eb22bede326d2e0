//! Scripts with variables, any order, `never .. until`, and fragments with parameters; shortened games of seeds.

use std::{fs, path::Path, process::Command};

use script::Transcript;
use systemtests::{
    batch::judge,
    files::{Found, parse},
    games,
    local::InProcess,
    target::Outcome,
};

use super::folder::Folder;

const HEADER: &str = "edition: group\nscenario: first-night\nseed: 7\nplayers: Ana, Bo\n\n";
const OPENING: &str = "Ana: Register Ana\n  Ana: Config\nAna: StartGame\n";

/// Plays a script. Returns the outcome and its message.
fn play(body: &str) -> (Outcome, String) {
    let script = parse(Path::new("t.script"), &format!("{HEADER}{body}"), &games());
    let verdict = judge(&Found { place: "t.script".into(), script }, &InProcess);
    (verdict.outcome, verdict.message)
}

#[track_caller]
fn passes(body: &str) {
    assert_eq!(play(body), (Outcome::Ok, String::new()), "{body}");
    // Nothing is lost in the other form, and back.
    let script = parse(Path::new("t.script"), &format!("{HEADER}{body}"), &games()).expect("a script");
    let text = script::print(script.game, &script.transcript, &script.names);
    assert_eq!(
        parse(Path::new("t.script"), &text, &games()).expect("a script").transcript,
        script.transcript,
        "{text}"
    );
    let json = script.transcript.json(script.game);
    assert_eq!(Transcript::parse(&json, &games()).expect("JSON").0, script.transcript, "{json}");
}

#[track_caller]
fn fails(body: &str, words: &[&str]) {
    let (outcome, message) = play(body);
    assert_eq!(outcome, Outcome::Fail, "{body}");
    words.iter().for_each(|words| assert!(message.contains(words), "{message}\ndoes not say\n{words}"));
}

#[test]
fn what_came_can_be_sent() {
    let chosen = format!("{OPENING}  Ana: ... Characters $a $b _ $last\nAna: SelectCharacters $b $a\n");
    passes(&format!("{chosen}  Ana: CharacterSpawned Ana _\n  Ana: CharacterSpawned Ana _\n"));
    // A variable that is bound stands for its value.
    passes(&format!("{OPENING}  Ana: GameStarted\n  Ana: Player $me Ana\n  Ana: Characters _ _ _ $c\n"));
    fails(
        &format!("{OPENING}  Ana: ... Characters $a $a _ _\n"),
        &["expected: ... Characters $a $a _", "came:     no such event"],
    );
    fails(
        &format!("{chosen}  Ana: in any order CharacterSpawned Ana $a | CharacterSpawned Ana $last\n"),
        &["came:     2 events, and none of them is CharacterSpawned Ana "],
    );
    fails("Ana: SelectCharacters $a 2\n", &["nothing is bound to $a", "t.script:6:6"]);
    fails("Ana: Register Ana\n  Ana: never CharacterSpawned $x 1 until Config\n", &["nothing is bound to $x"]);
}

#[test]
fn any_order() {
    passes(&format!(
        "{OPENING}  Ana: in any order Characters _ _ _ _ | Player Ana Ana | GameStarted\n  Ana: nothing more\n"
    ));
    passes("Ana: StartGame\n  Ana: in any order CommandFailed\n");
    fails(
        &format!("{OPENING}  Ana: in any order GameStarted | GameStarted\n"),
        &["expected: in any order GameStarted | GameStarted", "came:     2 events, and none of them is GameStarted"],
    );
    fails("Bo: StartGame\n  Ana: in any order CommandFailed\n", &["came:     nothing"]);
    fails("Ana: StartGame\n  Ana: in any order CommandFailed |\n", &["an event is missing"]);
    fails("Ana: StartGame\n  Ana: in any order\n", &["an event is missing"]);
    fails("Ana: in any order CommandFailed\n", &["this is what a client receives", "indent the line"]);
}

#[test]
fn never_until() {
    passes(
        &format!("{OPENING}  Ana: never CharacterSpawned until Characters _ _ _ _\n  Ana: nothing more\n")
            .replace("CharacterSpawned", "CommandFailed"),
    );
    fails(
        &format!("{OPENING}  Ana: never Player _ _ until Characters _ _ _ _\n"),
        &["expected: never Player _ _ until Characters _ _ _ _", "came:     Player Ana Ana"],
    );
    fails(
        &format!("{OPENING}  Ana: never CommandFailed until NextRound 1\n"),
        &["came:     nothing more, and `until` has not come"],
    );
    fails("Ana: StartGame\n  Ana: never CommandFailed\n", &["`until` and an event are missing"]);
}

#[test]
fn fragments_with_parameters() {
    let folder = Folder::new();
    folder
        .write("open.script", "# Registers a player.\nfragment who name\n\n{who}: Register {name}\n  {who}: Config\n");
    let read = |include: &str| {
        let path = folder.path("t.script");
        let script = parse(&path, &format!("{HEADER}{include}\n"), &games());
        let verdict = judge(&Found { place: "t.script".into(), script }, &InProcess);
        if verdict.outcome == Outcome::Ok { "OK".to_owned() } else { verdict.message }
    };
    assert_eq!(read("include open.script who=Ana name=Ana\ninclude open.script name=Bea who=Bo"), "OK");
    for (include, words) in [
        ("include open.script who=Ana", "open.script needs the parameter name"),
        ("include open.script who=Ana name=A nmae=B", "open.script has no parameter nmae"),
        ("include open.script who=Ana who=Bo name=A", "who occurs twice"),
        ("include open.script Ana", "Ana is not a parameter"),
        ("include open.script who=Eva name=A", "there is no player Eva"),
        ("include", "a file is missing"),
    ] {
        let said = read(include);
        assert!(said.contains(words), "{include}: {said}");
    }
    // A fragment is no script, and stays as it is when it is formatted.
    let text = fs::read_to_string(folder.path("open.script")).expect("it was written");
    assert!(script::is_fragment(&text) && script::format(&text) == text);
}

#[test]
fn seeds_of_short_games() {
    let seeds = |more: &[&str]| {
        let arguments =
            ["seeds", "--scenario", "first-night", "--want", "first Moved causes Bitten", "--bot", "random"];
        let output =
            Command::new(env!("CARGO_BIN_EXE_systest")).args(arguments).args(more).output().expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let (long, short) = (seeds(&[]), seeds(&["--minimise"]));
    let commands = |text: &str| text.lines().filter(|line| line.contains(": ") && !line.starts_with(' ')).count();
    assert!(commands(&short) < commands(&long), "{short}");
    assert!(short.contains(": Bitten ") && long.lines().next() == short.lines().next(), "{short}");
    let folder = Folder::new();
    folder.write("short.script", &short);
    let output = Command::new(env!("CARGO_BIN_EXE_systest")).arg("run").arg(folder.path("short.script")).output();
    assert_eq!(String::from_utf8_lossy(&output.expect("it starts").stdout), "1 passed, 0 failed\n");
}
