//! Three PostgreSQL servers under Patroni, with etcd, all from Debian's packages and as an unprivileged user.

use std::{
    fs,
    io::{Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    PATIENCE,
    postgres::{new_folder, program, unprivileged},
};

/// Three servers of which one is the primary and another its synchronous standby, and what keeps them so.
#[derive(Debug)]
pub struct Patroni {
    folder: PathBuf,
    etcd: Child,
    etcd_port: u16,
    nodes: Vec<Node>,
}

/// The settings that decide what a failover keeps, as `docs/cluster.md` has them.
const DCS: &str = "    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql: {use_pg_rewind: true, parameters: {max_connections: 200, wal_log_hints: 'on', wal_keep_size: 1GB}}
";

/// A server and the Patroni that runs it.
#[derive(Debug)]
struct Node {
    patroni: Child,
    data: PathBuf,
    config: PathBuf,
    port: u16,
    rest: u16,
}

impl Patroni {
    /// Starts everything, with the settings that `docs/cluster.md` recommends.
    ///
    /// # Panics
    ///
    /// Something does not start.
    pub fn start() -> Self {
        let folder = new_folder();
        let (etcd_port, peer) = (free_port(), free_port());
        let etcd = unprivileged(None, "etcd")
            .arg("--enable-v2")
            .args(["--data-dir", &folder.join("etcd").display().to_string()])
            .args(["--listen-client-urls", &local(etcd_port), "--advertise-client-urls", &local(etcd_port)])
            .args(["--listen-peer-urls", &local(peer), "--initial-advertise-peer-urls", &local(peer)])
            .args(["--initial-cluster", &format!("default={}", local(peer))])
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.join("etcd.log")).expect("a file"))
            .spawn()
            .expect("etcd");
        let mut patroni = Self { folder, etcd, etcd_port, nodes: Vec::new() };
        for name in ["one", "two", "three"] {
            patroni.add(name);
            // The first one makes the database.
            patroni.wait_until("a primary", |patroni| patroni.primary().is_some());
        }
        patroni.wait_until_whole();
        patroni
    }

    fn add(&mut self, name: &str) {
        let (port, rest) = (free_port(), free_port());
        let (folder, data) = (self.folder.display(), self.folder.join(name));
        let config = self.folder.join(format!("{name}.yml"));
        let bin = program("postgres").parent().map(Path::to_path_buf).unwrap_or_default();
        let text = format!(
            "scope: holdfast
name: {name}
restapi: {{listen: '127.0.0.1:{rest}', connect_address: '127.0.0.1:{rest}'}}
etcd: {{hosts: '127.0.0.1:{etcd}'}}
bootstrap:
  dcs:
{DCS}  initdb: [{{encoding: UTF8}}, {{locale: C}}, {{auth: trust}}]
postgresql:
  listen: '127.0.0.1:{port}'
  connect_address: '127.0.0.1:{port}'
  data_dir: {data}
  bin_dir: {bin}
  pgpass: {folder}/{name}.pgpass
  parameters: {{unix_socket_directories: '{folder}', shared_buffers: 32MB}}
  pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
  authentication:
    superuser: {{username: postgres, password: none}}
    replication: {{username: replicator, password: none}}
    rewind: {{username: rewinder, password: none}}
",
            etcd = self.etcd_port,
            data = data.display(),
            bin = bin.display(),
        );
        fs::write(&config, text).expect("a file");
        let patroni = run_patroni(&config);
        self.nodes.push(Node { patroni, data, config, port, rest });
    }

    /// The address of the store.
    pub fn store(&self) -> String {
        let hosts: Vec<String> = self.nodes.iter().map(|node| format!("127.0.0.1:{}", node.port)).collect();
        format!("postgres://postgres@{}/postgres", hosts.join(","))
    }

    /// The index of the primary, if there is one.
    pub fn primary(&self) -> Option<usize> {
        (0..self.nodes.len()).find(|node| self.is_answered(*node, "/primary"))
    }

    /// Waits until there is a primary with a synchronous standby.
    ///
    /// # Panics
    ///
    /// It takes too long.
    pub fn wait_until_whole(&self) {
        self.wait_until("a primary and a synchronous standby", |patroni| {
            // Patroni remembers a standby that has lost its connection for a while, so this asks the primary, too.
            let is_known = (0..patroni.nodes.len()).any(|node| patroni.is_answered(node, "/synchronous"));
            is_known && patroni.primary().is_some_and(|primary| patroni.nodes[primary].has_synchronous_standby())
        });
    }

    fn is_answered(&self, node: usize, path: &str) -> bool {
        let mut answer = String::new();
        // A frozen one takes a few connections and answers none.
        let (address, patience) = ((Ipv4Addr::LOCALHOST, self.nodes[node].rest).into(), Duration::from_secs(2));
        let asked = TcpStream::connect_timeout(&address, patience).and_then(|mut stream| {
            stream.set_read_timeout(Some(patience))?;
            write!(stream, "GET {path} HTTP/1.0\r\n\r\n")?;
            stream.read_to_string(&mut answer)
        });
        asked.is_ok() && answer.lines().next().is_some_and(|status| status.contains(" 200 "))
    }

    fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(self) {
            assert!(Instant::now() < deadline, "never {what}; see {}", self.folder.display());
            thread::sleep(Duration::from_millis(200));
        }
    }

    /// Kills the server of a node with -9. Its Patroni lives.
    pub fn kill_server(&self, node: usize) {
        signal("KILL", &self.nodes[node].server());
    }

    /// Kills a server and its Patroni with -9, as if the machine were gone.
    pub fn kill_node(&mut self, node: usize) {
        let node = &mut self.nodes[node];
        let server = node.server();
        node.patroni.kill().expect("it runs");
        signal("KILL", &server);
        node.patroni.wait().expect("it has ended");
    }

    /// Starts Patroni again on a node.
    pub fn restart_node(&mut self, node: usize) {
        let node = &mut self.nodes[node];
        node.patroni = run_patroni(&node.config);
    }

    /// Freezes a server and its Patroni (SIGSTOP).
    pub fn freeze_node(&self, node: usize) {
        signal("STOP", &self.nodes[node].processes());
    }

    /// Lets a frozen server and its Patroni go on (SIGCONT).
    pub fn thaw_node(&self, node: usize) {
        signal("CONT", &self.nodes[node].processes());
    }

    /// Waits until a node follows the primary.
    ///
    /// # Panics
    ///
    /// It takes too long.
    pub fn wait_until_replica(&self, node: usize) {
        self.wait_until("a replica", |patroni| patroni.is_answered(node, "/replica"));
    }
}

impl Drop for Patroni {
    fn drop(&mut self) {
        for node in &mut self.nodes {
            let server = node.server();
            let _gone = (node.patroni.kill(), node.patroni.wait());
            signal("KILL", &server);
        }
        let _gone = (self.etcd.kill(), self.etcd.wait());
        if !thread::panicking() {
            let _gone = fs::remove_dir_all(&self.folder);
        }
    }
}

impl Node {
    fn has_synchronous_standby(&self) -> bool {
        let sql =
            "SELECT COUNT(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')";
        let asked = Command::new(program("psql"))
            .args(["-X", "-q", "-A", "-t", "-U", "postgres", "-d", "postgres", "-h", "127.0.0.1", "-p"])
            .args([&self.port.to_string(), "-c", sql])
            .output();
        asked.is_ok_and(|asked| String::from_utf8_lossy(&asked.stdout).trim() == "1")
    }

    /// Patroni and the processes of the server.
    fn processes(&self) -> Vec<u32> {
        [vec![self.patroni.id()], self.server()].concat()
    }

    /// The processes of the server: the first one, and its children.
    fn server(&self) -> Vec<u32> {
        let about = fs::read_to_string(self.data.join("postmaster.pid")).unwrap_or_default();
        let Some(first) = about.lines().next().and_then(|line| line.trim().parse().ok()) else { return Vec::new() };
        let children = fs::read_to_string(format!("/proc/{first}/task/{first}/children")).unwrap_or_default();
        let is_server = fs::read_to_string(format!("/proc/{first}/comm")).is_ok_and(|name| name.trim() == "postgres");
        let all = std::iter::once(first).chain(children.split_whitespace().filter_map(|child| child.parse().ok()));
        all.filter(|_| is_server).collect()
    }
}

fn run_patroni(config: &Path) -> Child {
    let log = fs::OpenOptions::new().create(true).append(true).open(config.with_extension("log")).expect("a file");
    let output = log.try_clone().expect("a file");
    let started = unprivileged(None, "patroni").arg(config).stdin(Stdio::null()).stdout(output).stderr(log).spawn();
    started.expect("patroni")
}

/// Sends a signal to processes. Some may be gone already.
fn signal(name: &str, processes: &[u32]) {
    let numbers = processes.iter().map(ToString::to_string);
    let _some_are_gone = Command::new("kill").arg(format!("-{name}")).args(numbers).stderr(Stdio::null()).status();
}

fn local(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port()
}

#[cfg(test)]
mod tests {
    use super::DCS;

    /// Operators get what was tested.
    #[test]
    fn settings_of_the_manual() {
        let manual = include_str!("../../docs/cluster.md");
        assert!(manual.contains(&format!("bootstrap:\n  dcs:\n{DCS}  initdb:")), "docs/cluster.md has other settings");
        // Debian's version of Patroni writes the lock without comparing if it speaks the later protocol of etcd.
        assert!(manual.contains("\netcd: {hosts: ") && manual.contains("\nETCD_ENABLE_V2=true\n"));
    }
}
