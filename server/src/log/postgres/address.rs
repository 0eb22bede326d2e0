//! The address of a PostgreSQL store.

use std::{
    env, fmt, fs,
    net::IpAddr,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio_postgres::{
    Config,
    config::{Host, LoadBalanceHosts, SslMode, TargetSessionAttrs},
};

use super::tls::{Tls, read_authorities};
use crate::log::{AddressError, PostgresError, StoreError, location::without_password};

/// How long a host of the address may take to accept a connection.
const CONNECTING: Duration = Duration::from_secs(2);
/// How long the system keeps a connection whose peer acknowledges nothing.
const UNACKNOWLEDGED: Duration = Duration::from_secs(10);

/// The address of a database, `postgres://USER@HOST:PORT/DATABASE?OPTION=VALUE`, with everything that is needed to connect.
///
/// The options are those of PostgreSQL's own programs. `sslmode` is `disable`, or `require` or `verify-full`, which mean the
/// same here: the certificate and the name of the server are always checked, against the authorities of the system or those in
/// the file `sslrootcert`. Without it, connections to this machine are not encrypted and all others are. The password is in the
/// variable `PGPASSWORD`, or in a file that `passfile` or `PGPASSFILE` names.
#[derive(Clone)]
pub struct PostgresAddress {
    /// The address without its password, for people.
    shown: String,
    config: Config,
    /// The same for each server of the address alone.
    servers: Vec<Config>,
    tls: Option<Arc<Tls>>,
    /// How often this process has connected to write. A connection that is older may lead to a server that was the primary.
    writers: Arc<AtomicU64>,
}

impl PostgresAddress {
    /// Reads an address. The password may come from the environment or from a file.
    ///
    /// # Errors
    /// If it is malformed, or a file that it names cannot be read.
    pub fn parse(text: &str) -> Result<Self, StoreError> {
        Self::read(text).map_err(|error| StoreError::Postgres {
            doing: "reading the address of the store",
            source: PostgresError::Address(error),
        })
    }

    /// The same address for a program that only reads: a standby is as good as the primary.
    pub(super) fn for_reading(mut self) -> Self {
        for config in self.servers.iter_mut().chain([&mut self.config]) {
            config.target_session_attrs(TargetSessionAttrs::Any);
        }
        self
    }

    pub(super) fn config(&self) -> &Config {
        &self.config
    }

    /// One configuration for each server of the address, in order.
    pub(super) fn servers(&self) -> &[Config] {
        &self.servers
    }

    /// This process has a new connection to write.
    pub(super) fn count_writer(&self) {
        self.writers.fetch_add(1, Ordering::AcqRel);
    }

    /// How often it had one.
    pub(super) fn writers(&self) -> u64 {
        self.writers.load(Ordering::Acquire)
    }

    pub(super) fn tls(&self) -> Option<&Arc<Tls>> {
        self.tls.as_ref()
    }

    /// The address as the path that errors name.
    pub(super) fn path(&self) -> PathBuf {
        self.shown.clone().into()
    }

    fn read(text: &str) -> Result<Self, AddressError> {
        let (address, mut options) = Options::take(text);
        let mut config: Config = address
            .parse()
            .map_err(|error: tokio_postgres::Error| AddressError::Malformed { message: words(&error) })?;
        let is_encrypted = match options.ssl_mode.take().as_deref() {
            None => !config.get_hosts().iter().all(is_here),
            Some("disable") => false,
            Some("require" | "verify-full") => true,
            Some(mode) => return Err(AddressError::SslMode { mode: mode.into() }),
        };
        config
            .ssl_mode(if is_encrypted { SslMode::Require } else { SslMode::Disable })
            .connect_timeout(CONNECTING)
            .tcp_user_timeout(UNACKNOWLEDGED)
            .keepalives_idle(UNACKNOWLEDGED)
            // A standby must not be taken for the primary after a failover.
            .target_session_attrs(TargetSessionAttrs::ReadWrite);
        if config.get_application_name().is_none() {
            config.application_name("holdfast");
        }
        if config.get_password().is_none()
            && let Some(password) = find_password(&config, options.pass_file.take())?
        {
            config.password(password);
        }
        let tls = if is_encrypted { Some(Arc::new(Tls::new(read_authorities(options.root_cert)?))) } else { None };
        let servers = each_server(&config)?;
        Ok(Self { shown: without_password(text), servers, config, tls, writers: Arc::default() })
    }
}

impl fmt::Debug for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PostgresAddress").field(&self.shown).finish()
    }
}

impl fmt::Display for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// The options that the driver does not know, or understands differently.
#[derive(Default)]
struct Options {
    ssl_mode: Option<String>,
    root_cert: Option<PathBuf>,
    pass_file: Option<PathBuf>,
}

impl Options {
    /// Takes the options from an address. Returns the rest of it.
    fn take(text: &str) -> (String, Self) {
        let mut taken = Self::default();
        let Some((start, query)) = text.split_once('?') else { return (text.into(), taken) };
        let mut rest = Vec::new();
        for option in query.split('&') {
            match option.split_once('=') {
                Some(("sslmode", mode)) => taken.ssl_mode = Some(mode.into()),
                Some(("sslrootcert", file)) => taken.root_cert = Some(decoded(file).into()),
                Some(("passfile", file)) => taken.pass_file = Some(decoded(file).into()),
                Some(_) | None => rest.push(option),
            }
        }
        (if rest.is_empty() { start.into() } else { format!("{start}?{}", rest.join("&")) }, taken)
    }
}

/// Decodes `%2F` and its like. What is no such escape stays as it is.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escape = after.get(..2).filter(|_| *first == b'%').and_then(|digits| str::from_utf8(digits).ok());
        match escape.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Configurations that have one of several servers each, and are otherwise the same.
fn each_server(config: &Config) -> Result<Vec<Config>, AddressError> {
    let (hosts, addresses, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
    let count = hosts.len().max(addresses.len()).max(1);
    // Each server alone looks complete to the driver, so it would not notice these.
    let malformed = |what: &str| Err(AddressError::Malformed { message: what.into() });
    if ports.len() > 1 && ports.len() != count {
        return malformed("give one port for all servers, or one for each");
    }
    if !hosts.is_empty() && !addresses.is_empty() && hosts.len() != addresses.len() {
        return malformed("give as many values of `hostaddr` as of `host`");
    }
    if config.get_load_balance_hosts() != LoadBalanceHosts::Disable {
        return malformed("`load_balance_hosts` is not supported: servers are tried in their order");
    }
    let server = |index: usize| {
        let mut one = Config::new();
        match hosts.get(index) {
            Some(Host::Tcp(name)) => _ = one.host(name),
            Some(Host::Unix(path)) => _ = one.host_path(path),
            None => {}
        }
        addresses.get(index).map(|address| one.hostaddr(*address));
        // One port is for all servers.
        ports.get(index).or(ports.first()).map(|port| one.port(*port));
        config.get_user().map(|user| one.user(user));
        config.get_password().map(|password| one.password(password));
        config.get_dbname().map(|name| one.dbname(name));
        config.get_options().map(|options| one.options(options));
        config.get_application_name().map(|name| one.application_name(name));
        config.get_connect_timeout().map(|time| one.connect_timeout(*time));
        config.get_tcp_user_timeout().map(|time| one.tcp_user_timeout(*time));
        config.get_keepalives_interval().map(|time| one.keepalives_interval(time));
        config.get_keepalives_retries().map(|retries| one.keepalives_retries(retries));
        one.keepalives(config.get_keepalives()).keepalives_idle(config.get_keepalives_idle());
        one.ssl_mode(config.get_ssl_mode()).ssl_negotiation(config.get_ssl_negotiation());
        one.channel_binding(config.get_channel_binding());
        one.target_session_attrs(config.get_target_session_attrs());
        one
    };
    Ok((0..count).map(server).collect())
}

/// Whether a host of an address is this machine.
fn is_here(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()),
    }
}

/// The password from the environment, or from a file as PostgreSQL's own programs read it.
fn find_password(config: &Config, file: Option<PathBuf>) -> Result<Option<String>, AddressError> {
    if file.is_none()
        && let Ok(password) = env::var("PGPASSWORD")
    {
        return Ok(Some(password));
    }
    let Some(path) = file.or_else(|| env::var_os("PGPASSFILE").map(PathBuf::from)) else { return Ok(None) };
    let text = fs::read_to_string(&path)
        .map_err(|error| AddressError::PasswordFile { path: path.clone(), message: error.to_string() })?;
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        Some(Host::Unix(_)) | None => "localhost".into(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let user = config.get_user().unwrap_or_default();
    let found = password_in(&text, [&host, &port, config.get_dbname().unwrap_or(user), user]);
    let missing = || AddressError::PasswordFile { path, message: "it has no line for this server and user".into() };
    found.map(Some).ok_or_else(missing)
}

/// The password of the first line `HOST:PORT:DATABASE:USER:PASSWORD` that fits. A star fits everything.
fn password_in(text: &str, wanted: [&str; 4]) -> Option<String> {
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let fields = fields(line);
        let [place @ .., password] = &fields[..] else { return None };
        let fits = place.len() == 4 && place.iter().zip(wanted).all(|(field, wanted)| field == "*" || field == wanted);
        fits.then(|| password.clone())
    })
}

/// The fields of a line. A backslash takes the next character as it is.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        let field = fields.last_mut().expect("there is always a field");
        match character {
            '\\' => field.extend(characters.next()),
            ':' => fields.push(String::new()),
            other => field.push(other),
        }
    }
    fields
}

/// An error of the driver with its cause.
pub(super) fn words(error: &tokio_postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let check = |text: &str, shown: &str, is_encrypted: bool| {
            let address = PostgresAddress::read(text).expect(text);
            assert_eq!((address.shown.as_str(), address.tls.is_some()), (shown, is_encrypted), "{text}");
        };
        check("postgres://ann:secret@localhost:5433/games", "postgres://ann@localhost:5433/games", false);
        check("postgresql://ann@127.0.0.1/games?password=secret", "postgresql://ann@127.0.0.1/games", false);
        check("postgres://ann@[::1]/games?sslmode=disable", "postgres://ann@[::1]/games?sslmode=disable", false);
        check("postgres:///games?host=/run/pg", "postgres:///games?host=/run/pg", false);
        check("postgres://ann@db.example/g?sslmode=disable", "postgres://ann@db.example/g?sslmode=disable", false);
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/log/postgres/test-authority.pem");
        let text = format!("postgres://ann@one.example,two.example/games?sslrootcert={file}");
        check(&text, &text, true);
        let text = format!("postgres://ann@localhost/games?sslmode=verify-full&sslrootcert={file}");
        check(&text, &text, true);
    }

    #[test]
    fn each_server_of_an_address_is_tried_alone() {
        let check = |text: &str, expected: &[Config]| {
            let address = PostgresAddress::read(text).expect(text);
            let usual = |server: &Config| {
                let mut server = server.clone();
                server.ssl_mode(SslMode::Disable).connect_timeout(CONNECTING).tcp_user_timeout(UNACKNOWLEDGED);
                server.keepalives_idle(UNACKNOWLEDGED).target_session_attrs(TargetSessionAttrs::ReadWrite);
                server.application_name("holdfast");
                server
            };
            let expected: Vec<Config> = expected.iter().map(usual).collect();
            assert_eq!(address.servers(), expected, "{text}");
            let reading = address.for_reading();
            assert!(reading.servers().iter().all(|one| one.get_target_session_attrs() == TargetSessionAttrs::Any));
        };
        let server = |text: &str| text.parse::<Config>().expect(text);
        check("postgres://ann@localhost/g", &[server("postgres://ann@localhost/g")]);
        check(
            "postgres://ann:pw@127.0.0.1:1,127.0.0.2:2/g?options=-cx%3Dy",
            &[
                server("postgres://ann:pw@127.0.0.1:1/g?options=-cx%3Dy"),
                server("postgres://ann:pw@127.0.0.2:2/g?options=-cx%3Dy"),
            ],
        );
        check(
            "postgres:///g?host=/run/one&host=/run/two&port=7",
            &[server("postgres:///g?host=/run/one&port=7"), server("postgres:///g?host=/run/two&port=7")],
        );
    }

    #[test]
    fn bad_addresses() {
        let check = |text: &str, expected: &str| {
            let error = PostgresAddress::read(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        };
        check("postgres://localhost:seven/games", "invalid value for option `port`");
        check("postgres://localhost/games?colour=red", "unknown option `colour`");
        check("postgres://localhost/games?sslmode=prefer", "sslmode prefer is none of");
        check("postgres:///g?host=a,b,c&port=1,2&sslmode=disable", "one port for all servers, or one for each");
        check("postgres:///g?host=a,b&hostaddr=127.0.0.1,127.0.0.2,127.0.0.3&sslmode=disable", "as many values");
        check("postgres://a,b/g?load_balance_hosts=random&sslmode=disable", "`load_balance_hosts` is not supported");
        check("postgres://a.example/games?sslrootcert=/no/such/file", "/no/such/file");
        check("postgres://localhost/games?passfile=/no/such/file", "/no/such/file");
    }

    #[test]
    fn password_files() {
        let text = "# all\nother:*:*:*:no\nhere:5432:games:ann:one\\:two\\\\\n*:*:*:bob:three\n";
        let find = |host: &str, user: &str| password_in(text, [host, "5432", "games", user]);
        assert_eq!(find("here", "ann").as_deref(), Some("one:two\\"));
        assert_eq!(find("here", "bob").as_deref(), Some("three"));
        assert_eq!(find("there", "ann"), None);
        assert_eq!(decoded("/a%2Fb%zz%"), "/a/b%zz%");
    }
}
