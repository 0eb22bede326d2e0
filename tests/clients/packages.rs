//! The packages that `cargo xtask package` makes, installed as users install them, and used outside of the project.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use crate::{built_typescript, python};

const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

/// A program of a user of the npm packages, which a compiler with strict rules takes.
const PROGRAM: &str = r#"
import { Client, create, join, randomCommand, seededRandom } from "holdfast-client";
import { View, type Command, type Event } from "holdfast-colony";

const view = new View();
const address = (globalThis as any).process.argv[2];
const ana = await Client.open<Command, Event>(address, create("first-night", { rulebook: "colony", seed: 7 }), { fold: view });
const bo = await Client.open<Command, Event>(address, join(ana.game));
async function play(client: Client<Command, Event>, name: string): Promise<void> {
  const random = seededRandom(name.length);
  for await (const offers of client.turns()) {
    const command = randomCommand(offers, name, random);
    if (command !== null) client.send(command);
  }
}
await Promise.all([play(ana, "Ana"), play(bo, "Johann")]);
console.log(view.board.outcome);
"#;

#[test]
fn wheels() {
    if !python::is_there() {
        return;
    }
    let folder = Folder::new("wheels");
    let build = |name: &str| {
        let script = Path::new(PROJECT).join("clients/python/build_wheels.py");
        said(Command::new("python3").arg("-B").arg(script).arg(folder.0.join(name)))
    };
    let wheels = build("once");
    build("again");
    assert!(wheels.lines().count() > 1, "{wheels}");
    for wheel in wheels.lines() {
        let [once, again] = ["once", "again"].map(|name| fs::read(folder.0.join(name).join(wheel)).expect("a wheel"));
        assert!(once == again, "{wheel} is not the same for the same sources");
    }

    let venv = folder.0.join("venv");
    said(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    let mut install = Command::new(venv.join("bin/pip"));
    install.args(["install", "--quiet", "--no-index", "--disable-pip-version-check", "--find-links"]);
    said(install.arg(folder.0.join("once")).arg("holdfast-colony"));
    let host = Host::start(&folder);
    for (starter, arguments) in [
        ("clients/python/examples/bot.py", ["--new", "first-night", "--count", "2", "--seed", "7"]),
        ("games/colony/python/examples/bot.py", ["--new", "first-night", "--players", "1", "--seed", "7"]),
    ] {
        // A copy, so that nothing of the project is beside it.
        let copy = folder.0.join("bot.py");
        fs::copy(Path::new(PROJECT).join(starter), &copy).expect("copied");
        let mut bot = Command::new(venv.join("bin/python"));
        bot.arg("-I").arg(copy).args(["--connect", &host.address]).args(arguments);
        let said = said(bot.current_dir(&folder.0));
        assert!(said.contains("The game is over: "), "{said}");
    }
}

#[test]
fn npm() {
    if !built_typescript::is_there("npm") || !built_typescript::is_there("tsc") {
        return;
    }
    let folder = Folder::new("npm");
    let mut pack = Command::new("node");
    pack.arg(Path::new(PROJECT).join("clients/typescript/build.mjs")).arg("--pack");
    let packages = said(pack.arg(&folder.0));
    assert!(packages.lines().count() > 1, "{packages}");

    fs::write(folder.0.join("package.json"), r#"{"private": true, "type": "module"}"#).expect("written");
    let mut install = Command::new("npm");
    install
        .args(["install", "--offline", "--no-audit", "--no-fund", "--silent"])
        .args(packages.lines().map(|file| format!("./{file}")));
    said(install.current_dir(&folder.0));
    fs::write(folder.0.join("mine.ts"), PROGRAM).expect("written");
    let mut compile = Command::new("tsc");
    compile.args(["--strict", "--target", "ES2022", "--module", "NodeNext", "--lib", "ES2022,DOM", "mine.ts"]);
    said(compile.current_dir(&folder.0));
    let host = Host::start(&folder);
    let outcome = said(Command::new("node").args(["mine.js", &host.address]).current_dir(&folder.0));
    assert!(outcome.starts_with("won") || outcome.starts_with("lost"), "{outcome}");
}

/// The output of a program, which must succeed.
fn said(program: &mut Command) -> String {
    let output = program.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{program:?}: {error}"));
    let [said, complained] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{program:?}: {said}{complained}");
    said
}

/// A folder that is deleted with this value.
struct Folder(PathBuf);

impl Folder {
    fn new(what: &str) -> Self {
        let path = std::env::temp_dir().join(format!("holdfast-{what}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

/// A host with games in memory, which ends with this value.
struct Host {
    process: Child,
    address: String,
}

impl Host {
    fn start(folder: &Folder) -> Self {
        let mut host = Command::new(env!("CARGO_BIN_EXE_holdfast"));
        host.args(["host", "--listen", "127.0.0.1:0", "--http", "off"]).current_dir(&folder.0).stdout(Stdio::piped());
        let mut process = host.spawn().expect("the program starts");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.strip_prefix("listening on ").map(ToOwned::to_owned));
        std::thread::spawn(move || lines.for_each(drop));
        Self { process, address: address.expect("it listens") }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended = self.process.wait();
    }
}
