//! A hundred random games over HTTP. No answer reveals a secret to its player, every answer fits the schemas, and Python reads
//! them as clients do.

use std::{fs, path::Path, process::Command};

use engine::JavaRandom;
use treasure::documents::{
    y2017::{answer::Answer as Old, request::Update},
    y2022::{answer::Answer, request::Move, state::GameState},
};
use treasure_rules::{Direction, Game, Position, Terrain};

use crate::{
    support::{Player, Scratch, Served},
    y2017,
};

/// All answers, in a folder for each year.
struct Answers {
    scratch: Scratch,
    count: usize,
    /// The number of states in which the opponent's position is secret, and how many of these show the real one by chance.
    disguised: usize,
    true_by_chance: usize,
}

impl Answers {
    fn keep(&mut self, kind: &str, body: &str) {
        let folder = self.folder(kind);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(format!("{}.xml", self.count)), body).expect("a file");
        self.count += 1;
    }

    fn folder(&self, kind: &str) -> std::path::PathBuf {
        self.scratch.file().with_file_name(kind)
    }
}

#[tokio::test]
async fn a_hundred_games() {
    let served = Served::new().await;
    let mut answers = Answers { scratch: Scratch::new(), count: 0, disguised: 0, true_by_chance: 0 };
    let mut random = JavaRandom::new(2022);
    let mut ends = [0; 2];
    for _ in 0..70 {
        ends[usize::from(of_2022(&served, &mut answers, &mut random).await)] += 1;
    }
    for _ in 0..30 {
        of_2017(&served, &mut answers, &mut random).await;
    }
    assert!(answers.count > 3000, "{} answers", answers.count);
    assert!(ends[0] > 5 && ends[1] > 5, "some end early and some are long: {ends:?}");
    let share = answers.true_by_chance as f64 / answers.disguised as f64;
    assert!(answers.disguised > 500 && share < 0.05, "{} of {}", answers.true_by_chance, answers.disguised);
    validate(&answers.folder("2022"), "2022.xsd");
    validate(&answers.folder("2017"), "2017.xsd");
    read_back(&answers.folder("2022"));
}

/// Plays one game. Returns whether it was a long one.
async fn of_2022(served: &Served, answers: &mut Answers, random: &mut JavaRandom) -> bool {
    let (mut acts, mut waits) = served.map("?enableDebugMode=true").await;
    let careful = random.next_boolean();
    for action in 2..60 {
        let state = look(served, answers, &acts, &waits).await;
        look(served, answers, &waits, &acts).await;
        let direction = choose(&state, random, careful);
        let body = Move { player: acts.id.clone(), direction }.write();
        let reply = served.ask("POST", &format!("/games/{}/moves", acts.game), &body).await;
        answers.keep("2022", &reply.body);
        if !reply.outcome().is_empty() || acts.standing(served).await == "Won" {
            look(served, answers, &acts, &waits).await;
            look(served, answers, &waits, &acts).await;
            return action > 20;
        }
        std::mem::swap(&mut acts, &mut waits);
    }
    true
}

/// Requests a status, and checks that it shows only facts that the player may know.
async fn look(served: &Served, answers: &mut Answers, player: &Player, other: &Player) -> GameState {
    let reply = served.ask("GET", &format!("/games/{}/states/{}", player.game, player.id), "").await;
    let body = &reply.body;
    let kept = format!("<!--{}-->", player.id);
    answers.keep("2022", &body.replacen("?>", &format!("?>{kept}"), 1));
    assert!(!body.contains(&other.id), "the other's id is a secret");
    let Answer::State(state) = Answer::read(body.as_bytes()).expect("an envelope") else { panic!("{body}") };
    let Some(handle) = served.host.handle::<Game>(&player.game) else { return state };
    let game = handle.snapshot();
    let members = game.players();
    let own = members.iter().find(|member| *member.id == *player.id).expect("oneself");
    let enemy = members.iter().find(|member| *member.id == *other.id).expect("the other");
    let knows = game.private(own.player).expect("a player");
    for node in &state.nodes {
        let at = Position::new(node.x as u8, node.y as u8);
        if node.treasure.to_string() == "MyTreasureIsPresent" {
            assert!(Some(at) == game.treasure(own.player) && knows.seen.contains(at) && !knows.collected, "{at}");
        }
        if node.fort.to_string() == "EnemyFortPresent" {
            assert!(Some(at) == enemy.start && knows.seen.contains(at), "{at}");
        }
        let shows_enemy = ["EnemyPlayerPosition", "BothPlayerPosition"].contains(&node.players.to_string().as_str());
        if shows_enemy && game.public().actions() < 16 {
            answers.disguised += 1;
            answers.true_by_chance +=
                usize::from(game.private(enemy.player).and_then(|private| private.at) == Some(at));
        } else if shows_enemy {
            assert_eq!(
                game.private(enemy.player).and_then(|private| private.at),
                Some(at),
                "from then on it is the true one"
            );
        }
    }
    state
}

/// A random direction. Careful players avoid water and keep their direction.
fn choose(state: &GameState, random: &mut JavaRandom, careful: bool) -> Direction {
    let own = state
        .nodes
        .iter()
        .find(|node| ["MyPlayerPosition", "BothPlayerPosition"].contains(&node.players.to_string().as_str()));
    let own = own.expect("oneself on the map");
    let dry = |direction: &Direction| {
        let (x, y) = match direction {
            Direction::Up => (own.x, own.y - 1),
            Direction::Down => (own.x, own.y + 1),
            Direction::Left => (own.x - 1, own.y),
            Direction::Right => (own.x + 1, own.y),
        };
        state.nodes.iter().any(|node| (node.x, node.y) == (x, y) && node.terrain != Terrain::Water)
    };
    let ways: Vec<Direction> = Direction::ALL.into_iter().filter(|direction| !careful || dry(direction)).collect();
    // Mostly the same direction, so that players arrive at other fields.
    let favourite = (own.x + own.y) as usize % ways.len();
    if careful && random.next_below(4) > 0 {
        ways[favourite]
    } else {
        ways[random.next_below(ways.len() as i32) as usize]
    }
}

async fn of_2017(served: &Served, answers: &mut Answers, random: &mut JavaRandom) {
    let [(ana, from, map), (bo, there, other_map)] = y2017::two(served).await;
    for (map, fort) in [(&map, there), (&other_map, from)] {
        let at = (((fort.1 - 1) * 8 + fort.0 - 1) * 2) as usize;
        assert_eq!(&map[at..at + 2], "01", "the enemy's fort looks like grass, and so do the treasures");
        answers.keep("2017", &Old::NewMap { full: map.clone() }.write(&Default::default()));
    }
    let mut players = [(ana, from), (bo, there)];
    for action in 0..20 {
        let (player, at) = players[action % 2];
        let turns = if random.next_below(8) == 0 { 1 } else { 0 };
        let wanted = if turns == 1 { (at.0, at.1 + 1) } else { at };
        let request = Update { id: player.0, x: at.0, y: at.1, wanted_x: wanted.0, wanted_y: wanted.1, turns };
        let reply = served.ask("POST", "/Updates", &request.write()).await;
        answers.keep("2017", &reply.body);
        let Old::Update(updated) = Old::read(reply.body.as_bytes()).expect("an answer") else {
            assert!(reply.body.contains("<Loss>true</Loss>") && turns == 1, "{}", reply.body);
            return;
        };
        assert!(!updated.treasure, "no player has moved");
        players[action % 2].1 = (updated.x, updated.y);
    }
}

fn validate(folder: &Path, schema: &str) {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(schema);
    let files: Vec<_> = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    for some in files.chunks(500) {
        let checked =
            Command::new("xmllint").args(["--noout", "--schema"]).arg(&schema).args(some).output().expect("xmllint");
        let words = String::from_utf8_lossy(&checked.stderr);
        let wrong: Vec<&str> = words.lines().filter(|line| !line.ends_with(" validates")).take(5).collect();
        assert!(checked.status.success(), "{wrong:#?}");
    }
}

/// Reads the answers as clients do: finds its own player by id, counts a hundred nodes, checks the exact type.
fn read_back(folder: &Path) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gateway/read_back.py");
    let read = Command::new("python3").arg(script).arg(folder).output().expect("python3");
    assert!(
        read.status.success(),
        "{}{}",
        String::from_utf8_lossy(&read.stdout),
        String::from_utf8_lossy(&read.stderr)
    );
    let said = String::from_utf8_lossy(&read.stdout);
    let states: usize = said.trim().parse().unwrap_or_else(|_| panic!("{said}"));
    assert!(states > 1500, "{states} states");
}
