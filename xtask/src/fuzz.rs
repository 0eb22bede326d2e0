//! Builds and runs the fuzz targets of `fuzz/`, with stable Rust and without cargo-fuzz.
//!
//! libFuzzer needs counters in the code that it tests. [`FLAGS`] are those by which cargo-fuzz asks the compiler for them.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    time::Duration,
};

use crate::{failure::Failure, project::Project, run, workspace::Workspace};

/// The workspace of the targets.
pub(crate) const MANIFEST: &str = "fuzz/Cargo.toml";

/// What `cargo fuzz run --sanitizer none` gives the compiler.
const FLAGS: &[&str] = &[
    "--cfg",
    "fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cdebug-assertions",
    "-Coverflow-checks",
    "-Ccodegen-units=1",
];

/// Clock ticks in a second of `/proc`, the same on every Linux.
const TICKS: f64 = 100.0;

/// How long each target runs if the command line does not say.
pub(crate) const USUAL: Duration = Duration::from_secs(60);

/// Builds the targets and runs each of them for this time.
pub(crate) fn run(project: &Project, target: Option<&str>, time: Duration) -> Result<(), Failure> {
    let targets = targets(project)?;
    let chosen: Vec<&String> = targets.iter().filter(|name| target.is_none_or(|target| target == *name)).collect();
    if chosen.is_empty() {
        let problem = format!("targets: {}", targets.join(", "));
        return Err(Failure::Surprise { what: "there is no such fuzz target".into(), problem });
    }
    let built = build(project, &chosen)?;
    let mut rows = Vec::new();
    let mut crashed = Vec::new();
    for name in chosen {
        let ran = built.fuzz(project, name, time)?;
        rows.push(ran.row(name));
        crashed.extend(ran.finding(name, &built));
    }
    println!("\n{:<12} {:>14} {:>10} {:>10} {:>10}", "target", "executions", "per s", "CPU s", "new inputs");
    rows.iter().for_each(|row| println!("{row}"));
    Failure::unless_none(crashed)
}

/// The names of the targets: the files in `fuzz/fuzz_targets`.
fn targets(project: &Project) -> Result<Vec<String>, Failure> {
    let name = |path: PathBuf| {
        let words: Vec<&str> = path.iter().filter_map(|word| word.to_str()).collect();
        if let ["fuzz", "fuzz_targets", file] = words[..] { file.strip_suffix(".rs").map(str::to_owned) } else { None }
    };
    Ok(project.files()?.into_iter().filter_map(name).collect())
}

fn build(project: &Project, targets: &[&String]) -> Result<Built, Failure> {
    let folder = Workspace::read(project)?.target_directory.join("fuzz");
    let host = host()?;
    let folder_name = folder.to_string_lossy();
    // With `--target`, the flags are not for build scripts and macros.
    let mut command = run::command(
        project,
        [
            "build",
            "--release",
            "--locked",
            "--manifest-path",
            MANIFEST,
            "--target",
            &host,
            "--target-dir",
            &folder_name,
        ],
    );
    command.args(targets.iter().flat_map(|name| ["--bin", name.as_str()]));
    run::finish(command.env("RUSTFLAGS", FLAGS.join(" ")))?;
    Ok(Built { programs: folder.join(host).join("release"), folder })
}

/// The machine that this runs on, as the compiler calls it.
fn host() -> Result<String, Failure> {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("-vV").output();
    let output = output.map_err(|cause| Failure::NotStarted { command: "rustc -vV".into(), cause })?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned);
    host.ok_or_else(|| Failure::Surprise { what: "rustc -vV".into(), problem: "it names no host".into() })
}

/// The targets as programs.
struct Built {
    programs: PathBuf,
    /// Everything that fuzzing writes.
    folder: PathBuf,
}

impl Built {
    fn fuzz(&self, project: &Project, name: &str, time: Duration) -> Result<Ran, Failure> {
        let (scratch, artifacts) = (self.folder.join("corpus").join(name), self.folder.join("artifacts").join(name));
        for path in [&scratch, &artifacts] {
            fs::create_dir_all(path).map_err(|cause| Failure::Unwritable { path: path.clone(), cause })?;
        }
        let mut command = Command::new(self.programs.join(name));
        // libFuzzer writes new inputs to the first folder, and only reads the others.
        command.arg(&scratch).arg(format!("fuzz/corpus/{name}"));
        let kept = format!("fuzz/regressions/{name}");
        if project.root.join(&kept).is_dir() {
            command.arg(kept);
        }
        let words = format!("fuzz/dictionaries/{name}.txt");
        if project.root.join(&words).is_file() {
            command.arg(format!("-dict={words}"));
        }
        command.arg(format!("-max_total_time={}", time.as_secs()));
        command.arg(format!("-artifact_prefix={}/", artifacts.display()));
        command.args(["-print_final_stats=1", "-max_len=4096", "-timeout=20", "-rss_limit_mb=2048"]);
        command.current_dir(&project.root).stdin(Stdio::null()).stderr(Stdio::piped());
        Ran::of(&mut command)
    }
}

/// What a target said.
#[derive(Debug, Default)]
struct Ran {
    status: ExitStatus,
    executions: u64,
    new_inputs: u64,
    cpu_s: f64,
    /// The input that failed.
    artifact: Option<PathBuf>,
}

impl Ran {
    fn of(command: &mut Command) -> Result<Self, Failure> {
        let program = command.get_program().to_string_lossy().into_owned();
        println!("$ {program}");
        let before = cpu_of_children();
        let mut child = command.spawn().map_err(|cause| Failure::NotStarted { command: program.clone(), cause })?;
        let mut ran = Self::default();
        let unreadable =
            |cause: std::io::Error| Failure::Surprise { what: program.clone(), problem: cause.to_string() };
        for line in child.stderr.take().into_iter().flat_map(|output| BufReader::new(output).split(b'\n')) {
            let line = line.map_err(unreadable)?;
            let line = String::from_utf8_lossy(&line);
            eprintln!("{line}");
            ran.hear(&line);
        }
        ran.status = child.wait().map_err(unreadable)?;
        ran.cpu_s = cpu_of_children() - before;
        Ok(ran)
    }

    /// Takes the facts from a line of libFuzzer.
    fn hear(&mut self, line: &str) {
        let number = |key: &str| line.strip_prefix(key).and_then(|rest| rest.trim().parse().ok());
        if let Some(executions) = number("stat::number_of_executed_units:") {
            self.executions = executions;
        } else if let Some(new_inputs) = number("stat::new_units_added:") {
            self.new_inputs = new_inputs;
        } else if let Some((_, path)) = line.split_once("Test unit written to ") {
            self.artifact = Some(path.trim().into());
        }
    }

    fn row(&self, name: &str) -> String {
        let Self { executions, new_inputs, cpu_s, .. } = self;
        format!(
            "{name:<12} {executions:>14} {:>10.0} {cpu_s:>10.1} {new_inputs:>10}",
            *executions as f64 / cpu_s.max(0.01)
        )
    }

    fn finding(&self, name: &str, built: &Built) -> Option<String> {
        if self.status.success() {
            return None;
        }
        let Some(artifact) = &self.artifact else { return Some(format!("{name} failed: {}", self.status)) };
        let (program, file) = (built.programs.join(name), artifact.file_name().map(Path::new).unwrap_or(artifact));
        Some(format!(
            "{name} failed on {input}\n  to repeat it: {program} {input}\n  to make it a case of the ordinary tests: \
             cp {input} fuzz/regressions/{name}/{file}",
            input = artifact.display(),
            program = program.display(),
            file = file.display(),
        ))
    }
}

/// The CPU time of all children that have ended, in seconds; 0 on a system without `/proc`.
fn cpu_of_children() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program may contain spaces, so the fields are counted behind it: 14 and 15 are those of children.
    let fields = text.rsplit_once(')').map(|(_, fields)| fields).unwrap_or_default();
    let ticks = fields.split_whitespace().skip(13).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS
}

/// Reads a time such as `90s`, `10m` or `2h`.
pub(crate) fn parse_time(text: &str) -> Option<Duration> {
    let (number, seconds) = [('s', 1), ('m', 60), ('h', 3600)]
        .into_iter()
        .find_map(|(unit, seconds)| text.strip_suffix(unit).map(|number| (number, seconds)))?;
    let seconds = number.parse::<u32>().ok()?.checked_mul(seconds)?;
    // libFuzzer runs without an end if it gets 0.
    (seconds > 0).then(|| Duration::from_secs(seconds.into()))
}

#[cfg(test)]
mod tests {
    use std::{os::unix::process::ExitStatusExt as _, process::ExitStatus};

    use super::{Built, Duration, Ran, parse_time};

    #[test]
    fn times() {
        fn check(text: &str, expected: Option<u64>) {
            assert_eq!(parse_time(text), expected.map(Duration::from_secs), "{text:?}");
        }
        check("60s", Some(60));
        check("10m", Some(600));
        check("2h", Some(7200));
        check("60", None);
        check("0s", None);
        check("s", None);
        check("-1s", None);
        check("1193047h", None);
    }

    #[test]
    fn lines_of_libfuzzer() {
        let mut ran = Ran::default();
        ran.hear("#12\tNEW    cov: 3 ft: 4 corp: 2/2b lim: 4 exec/s: 0 rss: 30Mb");
        ran.hear("artifact_prefix='/x/'; Test unit written to /x/crash-1f");
        ran.hear("stat::number_of_executed_units: 12345");
        ran.hear("stat::new_units_added:          7");
        assert_eq!((ran.executions, ran.new_inputs), (12345, 7));

        let built = Built { programs: "/t".into(), folder: "/f".into() };
        assert_eq!(ran.finding("wire", &built), None, "it ended well");
        ran.status = ExitStatus::from_raw(77 << 8);
        let finding = ran.finding("wire", &built).expect("it failed");
        assert!(finding.contains("to repeat it: /t/wire /x/crash-1f\n"), "{finding}");
        assert!(finding.ends_with("cp /x/crash-1f fuzz/regressions/wire/crash-1f"), "{finding}");
    }
}
