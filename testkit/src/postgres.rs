//! PostgreSQL servers of the tests: each has a temporary folder, listens on a socket in it, and ends with the process that
//! started it, even if that is killed.

use std::{
    env, fs,
    io::{BufRead, BufReader},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use crate::{Machine, Need, has, programs::postgres_folder};

/// PostgreSQL refuses to run as root, so a root starts it as `nobody`.
const NOBODY: &str = "65534";

/// What every server of a test has. It loses what it has when the machine ends, not when the process does.
const SETTINGS: &str = "listen_addresses = ''
max_connections = 200
shared_buffers = 32MB
autovacuum = off
log_min_messages = warning
wal_level = replica
max_wal_senders = 4
";

/// A PostgreSQL server.
#[derive(Debug)]
pub struct Postgres {
    folder: PathBuf,
    /// The shell that stops the server when this end of its pipe is closed.
    keeper: Child,
    _alive: ChildStdin,
    process: u32,
    /// The machine of a test network that it is on.
    machine: Option<Machine>,
}

impl Postgres {
    /// The server of all tests of this process. It does not sync its disk. `None` if the machine has no PostgreSQL: then the
    /// test is skipped.
    pub fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<Postgres>> = OnceLock::new();
        SHARED
            .get_or_init(|| has(&[Need::Postgres]).then(|| Self::start("fsync = off\nfull_page_writes = off\n")))
            .as_ref()
    }

    /// Starts a server with more settings, as lines of its configuration. The machine must have PostgreSQL.
    ///
    /// # Panics
    ///
    /// The server does not start.
    pub fn start(settings: &str) -> Self {
        Self::start_on(None, settings)
    }

    /// The same on a machine of a test network. It listens there, too.
    ///
    /// # Panics
    ///
    /// The server does not start.
    pub fn start_on(machine: Option<&Machine>, settings: &str) -> Self {
        let init = format!(
            "'{}' -D data -U postgres -A trust -E UTF8 --locale=C --no-sync --no-instructions >initdb.log 2>&1 &&
             printf 'host all all 10.214.0.0/16 trust\nhost replication all 10.214.0.0/16 trust\n' >>data/pg_hba.conf",
            program("initdb").display()
        );
        Self::run(new_folder(), machine, &init, settings)
    }

    /// Starts a standby of this server, which this server can wait for by the name `standby`.
    ///
    /// # Panics
    ///
    /// The standby does not start.
    pub fn start_standby(&self, settings: &str) -> Self {
        self.start_standby_on(None, settings)
    }

    /// The same on a machine of the test network that this server is on.
    ///
    /// # Panics
    ///
    /// The standby does not start.
    pub fn start_standby_on(&self, machine: Option<&Machine>, settings: &str) -> Self {
        let primary = match &self.machine {
            Some(machine) => machine.address.to_string(),
            None => self.folder.display().to_string(),
        };
        let copy = format!(
            "'{}' -h '{primary}' -U postgres -D data -X stream --no-sync >basebackup.log 2>&1 && touch data/standby.signal",
            program("pg_basebackup").display(),
        );
        let primary = format!("primary_conninfo = 'host={primary} user=postgres application_name=standby'\n");
        Self::run(new_folder(), machine, &copy, &format!("{primary}{settings}"))
    }

    /// Makes a standby the primary. The earlier primary must be gone, or cut off.
    pub fn promote(&self) {
        self.sql("SELECT pg_promote()");
    }

    /// Makes the data with a command, and starts a server on it.
    fn run(folder: PathBuf, machine: Option<&Machine>, make: &str, settings: &str) -> Self {
        let listens = machine.map(|machine| format!("listen_addresses = '{}'\n", machine.address)).unwrap_or_default();
        let settings = format!("{SETTINGS}unix_socket_directories = '{}'\n{listens}{settings}", folder.display());
        fs::write(folder.join("settings"), settings).expect("the settings");
        // The server is stopped at once when nothing holds the pipe any more; then its folder is removed. The test may end before
        // it reads the number of the process.
        let script = format!(
            "trap '' PIPE
             cd '{folder}' || exit 1
             {make} && cat settings >>data/postgresql.conf && chmod 700 data || {{ echo failed; exit 1; }}
             '{postgres}' -D data </dev/null >server.log 2>&1 &
             server=$!
             until '{ready}' -q -h '{folder}'; do
                 kill -0 $server 2>/dev/null || {{ echo failed; exit 1; }}
                 sleep 0.05
             done
             echo $server
             cat >/dev/null
             kill -CONT $server 2>/dev/null
             kill -QUIT $server 2>/dev/null
             wait $server
             cd / && rm -rf '{folder}'",
            folder = folder.display(),
            postgres = program("postgres").display(),
            ready = program("pg_isready").display(),
        );
        let mut keeper = unprivileged(machine, "sh")
            .args(["-c", &script])
            // A signal for the group of the test must not end the shell before it has stopped the server.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell that starts PostgreSQL");
        let alive = keeper.stdin.take().expect("a pipe");
        let mut first = String::new();
        let said = BufReader::new(keeper.stdout.take().expect("a pipe")).read_line(&mut first);
        let process = said.ok().and_then(|_| first.trim().parse().ok());
        let log = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
        let process = process.unwrap_or_else(|| {
            panic!("PostgreSQL does not start:\n{}{}{}", log("initdb.log"), log("basebackup.log"), log("server.log"))
        });
        Self { folder, keeper, _alive: alive, process, machine: machine.cloned() }
    }

    /// The address of a new, empty store.
    pub fn store(&self) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let name = format!("store_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        self.sql(&format!("CREATE SCHEMA {name}"));
        self.address(&name)
    }

    /// The address of a store that exists.
    pub fn address(&self, schema: &str) -> String {
        format!("postgres:///postgres?user=postgres&host={}&options=-csearch_path%3D{schema}", self.folder.display())
    }

    /// The folder of the server. Its socket is there.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The socket of the server.
    pub fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    /// The id of the server's first process, for signals.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// Runs SQL and returns what it prints, without decoration.
    ///
    /// # Panics
    ///
    /// The SQL fails.
    pub fn sql(&self, sql: &str) -> String {
        let output = Command::new(program("psql"))
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-d", "postgres", "-h"])
            .arg(&self.folder)
            .args(["-c", sql])
            .output()
            .expect("psql");
        assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // A server that is paused does not stop, so this does not wait for it. The pipe is closed after this.
        drop(self.keeper.try_wait());
    }
}

/// A new folder that the server may use. Its name is short: the path of a socket has a limit.
pub(crate) fn new_folder() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("hf-pg-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let folder = env::temp_dir().join(name);
    fs::create_dir_all(&folder).expect("a folder for PostgreSQL");
    if is_root() {
        let owner: u32 = NOBODY.parse().expect("a number");
        std::os::unix::fs::chown(&folder, Some(owner), Some(owner)).expect("a folder for another user");
    }
    folder
}

/// A command that does not run as root.
pub(crate) fn unprivileged(machine: Option<&Machine>, program: &str) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = machine.map_or_else(|| Command::new("setpriv"), |machine| machine.command("setpriv"));
    command.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", program]);
    command
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|about| about.uid() == 0)
}

/// A program of PostgreSQL. Debian keeps those of the server out of the path.
pub(crate) fn program(name: &str) -> PathBuf {
    postgres_folder().map(|folder| folder.join(name)).unwrap_or_else(|| name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_with_stores() {
        let Some(server) = Postgres::shared() else { return };
        let (one, other) = (server.store(), server.store());
        assert_ne!(one, other);
        assert_eq!(server.sql("SELECT 6 * 7"), "42");
        assert_eq!(server.sql("SHOW fsync"), "off");
    }

    #[test]
    fn a_server_ends_with_its_value() {
        if !has(&[Need::Postgres]) {
            return;
        }
        let server = Postgres::start("");
        let folder = server.folder.clone();
        drop(server);
        // The folder is removed last. Waits as long as a busy machine may take.
        for _ in 0..600 {
            if !folder.exists() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("{} is still there", folder.display());
    }
}
