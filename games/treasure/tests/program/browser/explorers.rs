//! Clients of the treasure game that send plain requests to its own port.

use std::net::SocketAddr;

use testkit::Request;

/// A half that keeps all rules: 38 grass with the fort at (4, 2), 5 mountains, 7 water. Right of the fort are one more field of grass
/// and then two mountains; below the second of them is water.
const HALF: [&str; 5] = ["GGGGGGGGGG", "GWWWGGMMGG", "GGGGFGMMGG", "GWWGGGMWGG", "GGGGGWGGGG"];
/// From the fort to the second mountain: 2, 3 and 4 actions.
pub(crate) const TO_THE_MOUNTAINS: [&str; 9] = ["Right"; 9];

/// A half of 2017; the fort is in column 6 of row 1.
const HALF_2017: &str = "0101020301040201010201030201020101020101020203030102010201010101";

/// A player of a game of 2022.
#[derive(Clone, Debug)]
pub(crate) struct Explorer {
    port: SocketAddr,
    game: String,
    pub(crate) id: String,
}

impl Explorer {
    pub(crate) fn register(port: SocketAddr, game: &str, name: &str, account: &str) -> Self {
        let body = format!(
            "<playerRegistration><studentFirstName>{name}</studentFirstName><studentLastName>Lee</studentLastName>\
             <studentUAccount>{account}</studentUAccount></playerRegistration>"
        );
        let answer = post(port, &format!("/games/{game}/players"), &body);
        Self { port, game: game.into(), id: inner(&answer, "uniquePlayerID").to_owned() }
    }

    /// Registers Ana and Bo. Returns the player who begins first.
    pub(crate) fn two(port: SocketAddr, game: &str) -> [Self; 2] {
        let ana = Self::register(port, game, "Ana", "ana1");
        let bo = Self::register(port, game, "Bo", "bo2");
        if ana.must_act() { [ana, bo] } else { [bo, ana] }
    }

    /// Registers two players and sends their halves. Returns the player whose turn it is first.
    pub(crate) fn with_a_map(port: SocketAddr, game: &str) -> [Self; 2] {
        let two = Self::two(port, game);
        for one in &two {
            assert_eq!(one.send_half(), "");
        }
        two
    }

    pub(crate) fn must_act(&self) -> bool {
        let state = Request::get(&format!("/games/{}/states/{}", self.game, self.id)).send_blocking(self.port).body;
        let mut players = state.split("<player>").skip(1);
        players.find(|player| player.contains(&self.id)).is_some_and(|me| me.contains("MustAct"))
    }

    /// Sends the half. Returns the name of the error, or an empty text.
    pub(crate) fn send_half(&self) -> String {
        let nodes = HALF.iter().enumerate().flat_map(|(y, row)| {
            row.chars().enumerate().map(move |(x, letter)| {
                let terrain = match letter {
                    'M' => "Mountain",
                    'W' => "Water",
                    _ => "Grass",
                };
                let fort = letter == 'F';
                format!(
                    "<playerHalfMapNode><X>{x}</X><Y>{y}</Y><fortPresent>{fort}</fortPresent>\
                     <terrain>{terrain}</terrain></playerHalfMapNode>"
                )
            })
        });
        self.act(
            "halfmaps",
            "playerHalfMap",
            &format!("<playerHalfMapNodes>{}</playerHalfMapNodes>", nodes.collect::<String>()),
        )
    }

    /// Sends a move. Returns the name of the error, or an empty text.
    pub(crate) fn go(&self, direction: &str) -> String {
        self.act("moves", "playerMove", &format!("<move>{direction}</move>"))
    }

    fn act(&self, path: &str, kind: &str, content: &str) -> String {
        let body = format!("<{kind}><uniquePlayerID>{}</uniquePlayerID>{content}</{kind}>", self.id);
        let answer = post(self.port, &format!("/games/{}/{path}", self.game), &body);
        if answer.contains("<exceptionName/>") { String::new() } else { inner(&answer, "exceptionName").to_owned() }
    }
}

/// Both players make the same moves in turn, without errors.
pub(crate) fn go_along(two: &[Explorer; 2], way: &[&str]) {
    for direction in way {
        for one in two {
            assert_eq!(one.go(direction), "", "{direction}");
        }
    }
}

/// Two players of 2017 get their map and go one field to the right, which takes four requests. Then the first player sends a
/// wrong position and loses.
pub(crate) fn play_2017(port: SocketAddr) {
    let players = ["Ana", "Bo"].map(|name| {
        let body = format!(
            "<NewPlayerRequest><FirstName>{name}</FirstName><SurName>Old</SurName>\
             <MatriculationNumber>0150233</MatriculationNumber></NewPlayerRequest>"
        );
        inner(&post(port, "/NewPlayer", &body), "ID").to_owned()
    });
    // Each half waits for the other.
    let halves = players.clone().map(|id| {
        let body = format!("<CreateNewMapRequest><ID>{id}</ID><MapHalf>{HALF_2017}</MapHalf></CreateNewMapRequest>");
        std::thread::spawn(move || inner(&post(port, "/MapCreation", &body), "FullMap").to_owned())
    });
    let forts = halves.map(|half| {
        let map = half.join().expect("a map");
        let at = map.as_bytes().chunks(2).position(|field| field == b"04").expect("the own fort");
        (at % 8 + 1, at / 8 + 1)
    });
    let update = |player: usize, (x, y): (usize, usize), turns: u8| {
        let id = &players[player];
        let body = format!(
            "<UpdateRequest><ID>{id}</ID><PlayerPositionX>{x}</PlayerPositionX><PlayerPositionY>{y}</PlayerPositionY>\
             <WantedPositionX>{}</WantedPositionX><WantedPositionY>{y}</WantedPositionY>\
             <TurnsUntilMovement>{turns}</TurnsUntilMovement></UpdateRequest>",
            x + 1
        );
        inner(&post(port, "/Updates", &body), "Loss").to_owned()
    };
    // The field right of the fort is a mountain.
    for turns in (0..=3).rev() {
        for (player, fort) in forts.into_iter().enumerate() {
            assert_eq!(update(player, fort, turns), "false");
        }
    }
    assert_eq!(update(0, forts[0], 3), "true");
}

fn post(port: SocketAddr, path: &str, body: &str) -> String {
    Request::new("POST", path).header("Content-Type", "application/xml").body(body).send_blocking(port).body
}

/// The content of the first element of this name.
#[track_caller]
fn inner<'a>(document: &'a str, name: &str) -> &'a str {
    let inside = document.split_once(&format!("<{name}>")).and_then(|(_, rest)| rest.split_once(&format!("</{name}>")));
    inside.unwrap_or_else(|| panic!("no {name}: {document}")).0
}
