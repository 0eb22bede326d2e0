//! The program of an example.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::SocketAddr,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

/// The program of an example, with a folder for its log.
pub(crate) struct Program {
    pub(crate) game: &'static str,
    path: PathBuf,
    folder: PathBuf,
}

impl Program {
    /// The program, if `cargo xtask test examples` has built it. Each test gives it a [folder](Self::in_folder) of its own.
    #[expect(clippy::print_stderr, reason = "a test that does not run says why")]
    pub(crate) fn find(game: &'static str) -> Option<Self> {
        let Some(programs) = std::env::var_os("HOLDFAST_EXAMPLES").map(PathBuf::from) else {
            eprintln!("{game}: only with `cargo xtask test examples`, which builds the programs of examples/");
            return None;
        };
        Some(Self { game, path: programs.join(game), folder: PathBuf::new() })
    }

    /// The same program with another folder.
    pub(crate) fn in_folder(self, name: &str) -> Self {
        let program = Self { folder: folder_of(name), ..self };
        program.forget();
        program
    }

    /// Begins with an empty log.
    pub(crate) fn forget(&self) {
        let _may_be_missing = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(&self.folder).expect("a folder");
    }

    pub(crate) fn log(&self) -> String {
        self.folder.join("games.log").to_string_lossy().into_owned()
    }

    /// Runs a command to its end, and returns its output.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new(&self.path).args(arguments).output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
        String::from_utf8(output.stdout).expect("text") + &said
    }

    /// Runs a command in the folder of this test. An error is what the program complains about.
    pub(crate) fn try_run(&self, arguments: &[&str]) -> Result<String, String> {
        let output = Command::new(&self.path).args(arguments).current_dir(&self.folder).output().expect("it starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    /// Whether the folder of this test has a file.
    pub(crate) fn has(&self, file: &str) -> bool {
        self.folder.join(file).is_file()
    }

    /// A file in the folder of this test.
    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).expect("a file")
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.join(file), text).expect("a writable folder");
    }

    /// Plays at the terminal: always makes the first choice, but never gives up. Returns everything that was printed.
    pub(crate) fn play(&self, arguments: &[&str]) -> String {
        let mut process = self.player(arguments);
        let mut keys = process.stdin.take().expect("it is piped");
        let mut said = String::new();
        for line in BufReader::new(process.stdout.take().expect("it is piped")).lines() {
            let line = line.expect("text");
            if line.starts_with("  1. ") {
                keys.write_all(b"1\n").expect("it reads");
            }
            said += &format!("{line}\n");
        }
        assert!(process.wait().expect("it ends").success(), "{said}");
        said
    }

    /// Plays at the terminal with these lines. Returns everything that was printed.
    pub(crate) fn type_lines(&self, arguments: &[&str], lines: &str) -> String {
        let mut process = self.player(arguments);
        process.stdin.take().expect("it is piped").write_all(lines.as_bytes()).expect("it reads");
        let output = process.wait_with_output().expect("it ends");
        String::from_utf8(output.stdout).expect("text")
    }

    /// A process that plays. Its seats are kept in a folder that no other test empties.
    fn player(&self, arguments: &[&str]) -> Child {
        let mut command = Command::new(&self.path);
        command.arg("play").args(arguments).env("XDG_STATE_HOME", folder_of(&format!("seats-{}", self.game)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts")
    }

    /// Starts a host on the log.
    pub(crate) fn host(&self) -> Host {
        let mut process = Command::new(&self.path)
            .args(["host", "--listen", "127.0.0.1:0", "--http", "off", "--log", &self.log()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let address = lines.find_map(|line| line.ok()?.strip_prefix("listening on ")?.parse().ok());
        Host { process, address: address.expect("an address") }
    }
}

fn folder_of(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("example-{name}"))
}

/// A host process. It is killed when it is dropped, as in a crash.
pub(crate) struct Host {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Host {
    /// Kills the process with SIGKILL.
    pub(crate) fn kill(&mut self) {
        let _ended_already = self.process.kill();
        let _ended_already = self.process.wait();
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.kill();
    }
}
