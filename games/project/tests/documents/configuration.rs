//! Configuration files.

use project::documents::{
    Guid,
    configuration::{ActionCosts, GameConfiguration, PlayerConfiguration, Reconnection},
};
use project_rules::{Position, Team};

const FULL: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<GameConfiguration>
  <BoardWidth>20</BoardWidth>
  <BoardHeight>40</BoardHeight>
  <ServerAddress>192.168.1.1:9000</ServerAddress>
  <ReconnectionAttemptsCount>3</ReconnectionAttemptsCount>
  <ReconnectionAttemptInterval>7</ReconnectionAttemptInterval>
  <PlayersPerTeam>10</PlayersPerTeam>
  <Pieces>20</Pieces>
  <ShamsPercentage>25</ShamsPercentage>
  <GoalsPositions>
    <Position><X>0</X><Y>0</Y></Position>
    <Position><X>1</X><Y>2</Y></Position>
  </GoalsPositions>
  <ActionCosts><Move>100</Move><Discover>450</Discover><Test>500</Test><Pickup>101</Pickup><Place>102</Place></ActionCosts>
  <RespawnInterval>1000</RespawnInterval>
  <NoProgressTimeout>60000</NoProgressTimeout>
  <JoinTimeout>30000</JoinTimeout>
  <PlayerHashes>
    <Hash>2707d2ff-e818-4ea9-be4b-fbce3486431e</Hash>
  </PlayerHashes>
</GameConfiguration>
";

fn problems(text: &str) -> Vec<String> {
    let found = GameConfiguration::read(text.as_bytes()).expect_err("something is wrong");
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn everything() {
    let expected = GameConfiguration {
        width: 20,
        height: 40,
        server_address: "192.168.1.1:9000".into(),
        reconnection: Reconnection { attempts: 3, interval_s: 7 },
        players_per_team: 10,
        pieces: 20,
        shams_percentage: 25,
        goals: vec![Position { x: 0, y: 0 }, Position { x: 1, y: 2 }],
        costs: ActionCosts { move_ms: 100, discover_ms: 450, test_ms: 500, pick_up_ms: 101, place_ms: 102 },
        respawn_interval_ms: Some(1000),
        no_progress_timeout_ms: Some(60_000),
        join_timeout_ms: Some(30_000),
        player_hashes: Guid::parse("2707d2ff-e818-4ea9-be4b-fbce3486431e").map(|hash| vec![hash]),
    };
    assert_eq!(GameConfiguration::read(FULL.as_bytes()), Ok(expected));
}

#[test]
fn only_what_is_needed() {
    let text = "<GameConfiguration><Pieces>1</Pieces><BoardWidth>2</BoardWidth><BoardHeight>4</BoardHeight>\
        <ServerAddress>127.0.0.1</ServerAddress><PlayersPerTeam>1</PlayersPerTeam><ShamsPercentage>-5</ShamsPercentage>\
        <GoalsPositions/></GameConfiguration>";
    let found = GameConfiguration::read(text.as_bytes()).expect("enough");
    assert_eq!(found.reconnection, Reconnection { attempts: 5, interval_s: 20 });
    assert_eq!((found.costs, found.shams_percentage, found.goals.len()), (ActionCosts::default(), -5, 0));
    assert_eq!((found.respawn_interval_ms, found.no_progress_timeout_ms, found.join_timeout_ms), (None, None, None));
    assert_eq!(found.player_hashes, None);
}

#[test]
fn all_problems_at_once() {
    let text = FULL
        .replace("BoardWidth", "BoardWith")
        .replace(">40<", ">forty<")
        .replace("<Pieces>20</Pieces>", "<Pieces>20</Pieces><Pieces>21</Pieces>")
        .replace("<X>1</X>", "<Z>1</Z>")
        .replace("<Position><X>0</X>", "<Place/><Position><X>0</X>")
        .replace(">450<", ">-450<")
        .replace("Move>", "Jump>")
        .replace(">30000<", "><")
        .replace("-4ea9-", "-5ea9-");
    let expected = [
        "line 2, column 1: <BoardWidth> is missing in <GameConfiguration>",
        "line 3, column 3: <BoardWith> is not known in <GameConfiguration>",
        "line 4, column 3: <BoardHeight> is \"forty\", which is no whole number from 0 to 4294967295",
        "line 9, column 22: <Pieces> is in <GameConfiguration> 2 times, and has to be there once",
        "line 12, column 5: <Place> is not known in <GoalsPositions>",
        "line 13, column 5: <X> is missing in <Position>",
        "line 13, column 15: <Z> is not known in <Position>",
        "line 15, column 16: <Jump> is not known in <ActionCosts>",
        "line 15, column 32: <Discover> is \"-450\", which is no whole number from 0 to 4294967295",
        "line 18, column 3: <JoinTimeout> is \"\", which is no whole number from 0 to 4294967295",
        "line 20, column 5: <Hash> is \"2707d2ff-e818-5ea9-be4b-fbce3486431e\", which is no UUID of version 4",
    ];
    assert_eq!(problems(&text), expected);
    assert_eq!(problems("<GameConfiguration>"), ["line 1, column 1: <GameConfiguration> is not closed"]);
    assert_eq!(
        problems("<Game/>"),
        ["line 1, column 1: the document is a <Game>, and has to be a <GameConfiguration>"]
    );
    assert_eq!(problems("<GameConfiguration/>").len(), 7);
}

#[test]
fn players() {
    let check = |text: &str, expected: Result<Team, &str>| {
        let found = PlayerConfiguration::read(text.as_bytes()).map(|found| found.team);
        assert_eq!(found.map_err(|problems| problems[0].what.clone()), expected.map_err(ToOwned::to_owned), "{text}");
    };
    let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<PlayerConfiguration>\n  \
        <TeamPreference>Red</TeamPreference>\n</PlayerConfiguration>\n";
    check(text, Ok(Team::Red));
    check(&text.replace("Red", "Blue"), Ok(Team::Blue));
    check(&text.replace("Red", "red"), Err("<TeamPreference> is \"red\"; what works: Blue, Red"));
    check("<PlayerConfiguration/>", Err("<TeamPreference> is missing in <PlayerConfiguration>"));
}
