//! One game of a batch: runs its clients as processes, and judges who has won.

use std::{
    fs::{self, File},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    time::Duration,
};

use cli::duration;
use clients::{group::Group, words::split};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::Notify,
    time::{Instant, sleep, timeout_at},
};

use super::BatchError;
use crate::{
    GameResult,
    players::{
        End, Failure, dummy,
        http::{BaseUrl, HttpClient, Request},
        y2022,
    },
    program::Protocol,
};

/// A game to play.
pub(super) struct Fixture {
    pub(super) number: u32,
    pub(super) url: BaseUrl,
    pub(super) protocol: Protocol,
    /// One client plays against the dummy.
    pub(super) clients: Vec<String>,
    pub(super) out: PathBuf,
    pub(super) limit: Duration,
    pub(super) seed: i64,
}

/// How a game ended for both players, in the order of the options.
pub(super) type Played = [Side; 2];

/// How a game ended for one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) verdict: Verdict,
    pub(super) reason: String,
    pub(super) actions: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Won,
    Lost,
    /// The client did not report its result, or reported an impossible one.
    Unclear,
}

/// The pause between two questions for the result of a game.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(20);

/// How long the server may be away when a game is created.
const PATIENCE: Duration = Duration::from_secs(30);

impl Fixture {
    pub(super) async fn play(self) -> Result<Played, BatchError> {
        let game = match self.protocol {
            Protocol::Y2022 => {
                let mut client = HttpClient::new(self.url.clone(), PATIENCE);
                let made = y2022::create(&mut client, "").await;
                Some(made.map_err(|failure| BatchError::NoGame { url: self.url.clone(), failure })?)
            }
            Protocol::Y2017 => None,
        };
        let until = Instant::now() + self.limit;
        let game = game.as_deref();
        match &*self.clients {
            [client] => {
                let (client, dummy) = tokio::join!(self.client(client, 1, game, until), self.dummy(game, until));
                Ok(against_dummy(self.protocol, client?, dummy))
            }
            [first, second] => {
                // A server that tells results knows the players by their order, so the second client begins after the first.
                let first_is_gone = Notify::new();
                let first = async {
                    let ended = self.client(first, 1, game, until).await;
                    first_is_gone.notify_one();
                    ended
                };
                let second = async {
                    tokio::select! {
                        () = self.wait_for_first(game, until) => {}
                        () = first_is_gone.notified() => {}
                    }
                    self.client(second, 2, game, until).await
                };
                let (first, second) = tokio::join!(first, second);
                let played = both(first?, second?);
                Ok(match self.result(game).await {
                    Some(result) if result.over => judged(played, &result),
                    Some(_) | None => played,
                })
            }
            _ => Err(BatchError::NotTwoPlayers),
        }
    }

    /// Runs a client until it ends or its time is over.
    async fn client(&self, command: &str, place: u32, game: Option<&str>, until: Instant) -> Result<Side, BatchError> {
        let words = words(command, &self.url.to_string(), game)?;
        let path = self.out.join(format!("game-{:04}-client-{place}.txt", self.number));
        let failed = |cause| BatchError::Path { path: path.clone(), cause };
        let output = File::create(&path).map_err(failed)?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).process_group(0).env_remove("HOLDFAST_ADMIN_TOKEN");
        command.stdin(Stdio::null()).stderr(output.try_clone().map_err(failed)?).stdout(output);
        let failed = |cause| BatchError::Path { path: words[0].clone().into(), cause };
        // Registered before the start, so that no exit is missed. The signal arrives when any child of this process exits.
        let mut ended = signal(SignalKind::child()).map_err(failed)?;
        let mut group = Group::new(command.spawn().map_err(failed)?);
        loop {
            if let Some(status) = group.end().map_err(failed)? {
                return Ok(Side::from_exit(status, &path));
            }
            if timeout_at(until, ended.recv()).await.is_err() {
                let reason = format!("killed after {}", duration::format(self.limit));
                return Ok(Side { verdict: Verdict::Unclear, reason, actions: None });
            }
        }
    }

    /// Waits until the first client is registered, if the server tells.
    async fn wait_for_first(&self, game: Option<&str>, until: Instant) {
        while Instant::now() < until
            && self.result(game).await.is_some_and(|result| result.players == 0 && !result.over)
        {
            sleep(BETWEEN_QUESTIONS).await;
        }
    }

    /// What the server says about the game, if it does.
    async fn result(&self, game: Option<&str>) -> Option<GameResult> {
        let path = format!("/games/{}/result", game?);
        let mut client = HttpClient::new(self.url.clone(), Duration::ZERO);
        let answer = client.ask(Request { path: &path, body: None, timeout: PATIENCE }).await.ok()?;
        serde_json::from_slice(&answer.body).ok()
    }

    async fn dummy(&self, game: Option<&str>, until: Instant) -> Side {
        let playing = async {
            match game {
                Some(game) => dummy::play(self.url.clone(), game, None, self.seed).await,
                None => dummy::play_2017(self.url.clone(), self.seed).await,
            }
        };
        match timeout_at(until, playing).await {
            Ok(ended) => Side::from_dummy(ended),
            Err(_) => Side { verdict: Verdict::Unclear, reason: "out of time".into(), actions: None },
        }
    }
}

/// The command line of a client.
fn words(command: &str, url: &str, game: Option<&str>) -> Result<Vec<String>, BatchError> {
    let words = split(command).map_err(BatchError::Command)?;
    if words.iter().any(|word| word.contains("{url}") || word.contains("{game}")) {
        let filled = |word: String| word.replace("{url}", url).replace("{game}", game.unwrap_or_default());
        return Ok(words.into_iter().map(filled).collect());
    }
    Ok(words.into_iter().chain([url.to_owned()]).chain(game.map(str::to_owned)).collect())
}

impl Side {
    /// Reads the result from the exit code. `holdfast treasure player` also prints a reason and the number of actions.
    fn from_exit(status: ExitStatus, output: &Path) -> Self {
        let printed = fs::read(output).unwrap_or_default();
        let printed = String::from_utf8_lossy(&printed);
        let result = printed.lines().rev().find_map(parse_result);
        let verdict = match status.code() {
            Some(0) => Verdict::Won,
            Some(1) => Verdict::Lost,
            Some(_) | None => Verdict::Unclear,
        };
        let reason = match (result, status.code(), status.signal()) {
            (Some((_, reason)), _, _) => reason.to_owned(),
            (None, Some(code), _) => format!("exit code {code}"),
            (None, None, signal) => format!("ended by signal {}", signal.unwrap_or_default()),
        };
        Self { verdict, reason, actions: result.map(|(actions, _)| actions) }
    }

    fn from_dummy(ended: Result<End, Failure>) -> Self {
        match ended {
            Ok(End { won, reason, actions }) => {
                let verdict = if won { Verdict::Won } else { Verdict::Lost };
                Self { verdict, reason, actions: Some(actions) }
            }
            Err(failure) => Self { verdict: Verdict::Unclear, reason: failure.to_string(), actions: None },
        }
    }
}

/// Parses the last line of `holdfast treasure player`: `won after 54 actions: why`.
fn parse_result(line: &str) -> Option<(u32, &str)> {
    let rest = line.strip_prefix("won after ").or_else(|| line.strip_prefix("lost after "))?;
    let (actions, reason) = rest.split_once(" actions: ")?;
    Some((actions.parse().ok()?, reason))
}

/// Only the dummy's result counts. In 2017 both players can lose, so a lost dummy does not prove that the client won.
fn against_dummy(protocol: Protocol, mut client: Side, dummy: Side) -> Played {
    client.verdict = match dummy.verdict {
        Verdict::Won => Verdict::Lost,
        Verdict::Lost if protocol == Protocol::Y2022 => Verdict::Won,
        Verdict::Lost | Verdict::Unclear => client.verdict,
    };
    [client, dummy]
}

/// The server knows who has won, whatever the clients say.
fn judged(mut played: Played, result: &GameResult) -> Played {
    for (side, number) in played.iter_mut().zip(1..) {
        side.verdict = if result.winner == Some(number) { Verdict::Won } else { Verdict::Lost };
        side.reason = result.reason.clone().unwrap_or_else(|| side.reason.clone());
    }
    played
}

/// If both report a win, both results are unclear.
fn both(mut first: Side, mut second: Side) -> Played {
    if first.verdict == Verdict::Won && second.verdict == Verdict::Won {
        for side in [&mut first, &mut second] {
            side.verdict = Verdict::Unclear;
            side.reason = "both report a win".into();
        }
    }
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::{Protocol, Side, Verdict, against_dummy, both, parse_result, words};

    #[test]
    fn commands_of_clients() {
        let check = |command, game, expected: &[&str]| {
            assert_eq!(words(command, "http://a:1", game).expect("words"), expected, "{command}");
        };
        check("mine", Some("Ss8Zc"), &["mine", "http://a:1", "Ss8Zc"]);
        check("mine", None, &["mine", "http://a:1"]);
        check(
            "java -jar 'my client.jar' TR",
            Some("Ss8Zc"),
            &["java", "-jar", "my client.jar", "TR", "http://a:1", "Ss8Zc"],
        );
        check("mine --at={url} {game} end", Some("Ss8Zc"), &["mine", "--at=http://a:1", "Ss8Zc", "end"]);
        check("mine {url}", Some("Ss8Zc"), &["mine", "http://a:1"]);
    }

    #[test]
    fn results_of_the_built_in_player() {
        assert_eq!(parse_result("won after 54 actions: so it is"), Some((54, "so it is")));
        assert_eq!(parse_result("lost after 0 actions: IntoWater: why: so"), Some((0, "IntoWater: why: so")));
        assert_eq!(parse_result("won after all"), None);
        assert_eq!(parse_result("I have won after 3 actions: x"), None);
    }

    fn side(verdict: Verdict) -> Side {
        Side { verdict, reason: String::new(), actions: None }
    }

    #[test]
    fn who_has_won() {
        use Verdict::{Lost, Unclear, Won};
        let check = |protocol, client, dummy, expected| {
            let [judged, _] = against_dummy(protocol, side(client), side(dummy));
            assert_eq!(judged.verdict, expected, "{protocol:?} {client:?} {dummy:?}");
        };
        for client in [Won, Lost, Unclear] {
            check(Protocol::Y2022, client, Lost, Won);
            check(Protocol::Y2022, client, Won, Lost);
            check(Protocol::Y2022, client, Unclear, client);
            check(Protocol::Y2017, client, Lost, client);
            check(Protocol::Y2017, client, Won, Lost);
        }
        let check = |first, second, expected: [Verdict; 2]| {
            assert_eq!(both(side(first), side(second)).map(|side| side.verdict), expected);
        };
        check(Won, Lost, [Won, Lost]);
        check(Lost, Lost, [Lost, Lost]);
        check(Won, Unclear, [Won, Unclear]);
        check(Won, Won, [Unclear, Unclear]);
    }
}
