//! The halves that bots build.

use engine::JavaRandom;
use treasure::players::{
    half::{self, Half},
    land::Land,
};
use treasure_rules::{Position, Profile, Terrain};

use crate::{Y2017, Y2022};

/// A half from rows of letters: `g`rass, `m`ountain, `w`ater, `f`ort.
fn half(rows: &str) -> Half {
    let letters: Vec<char> = rows.chars().filter(|letter| !letter.is_whitespace()).collect();
    let terrain = letters.iter().map(|letter| match letter {
        'g' | 'f' => Terrain::Grass,
        'm' => Terrain::Mountain,
        'w' => Terrain::Water,
        other => panic!("{other} is no field"),
    });
    let width = rows.split_whitespace().next().expect("a half has rows").len();
    let fort = letters.iter().position(|&letter| letter == 'f').expect("a half has a fort");
    Half { land: Land::new(width, terrain.collect()), fort }
}

#[track_caller]
fn check(profile: &Profile, rows: &str, valid: bool) {
    assert_eq!(half(rows).is_valid(profile), valid, "{rows}");
}

#[test]
fn what_2022_allows() {
    check(Y2022, "fggggwwwwg gmmmmggggg gggggwgwgg gwggmggggg ggggggggmm", true);
    check(Y2022, "fgggwwwwwg gmmmmggggg gggggwgwgg gwggmggggg ggggggggmm", false); // five of the upper edge are water
    check(Y2022, "fggggwwwgw gmmmmggggg gggggwgggw gwggmggggg ggggggggmm", true); // two of the right edge, and one is a corner
    check(Y2022, "fggggwwwgw gmmmmggggg gggggwgggw gwggmggggg ggggggggmw", false); // three of the right edge
    check(Y2022, "gwgggwwggg wmmmmggggf gggggwgwgg gwggmggggg ggggggggmm", false); // an island in a corner
    check(Y2022, "fwgggwwggg wmmmmggggg gggggwgwgg gwggmggggg ggggggggmm", false); // with the fort on it
    check(Y2022, "fggggwwwgg gmmmmggggg gggggwgwgg gwggmggggg ggggggggmm", false); // six of water
    check(Y2022, "fggggwwwwg gmmmgggggg gggggwgwgg gwggmggggg gggggggggm", true); // five mountains
    check(Y2022, "fggggwwwwg gmmmgggggg gggggwgwgg gwggmggggg gggggggggg", false); // four
    check(Y2022, "fmmmmwwwwm gmmmmmmmmg gggggwgwgg gwggmggggg gggggmmmmm", true); // 24 of grass
    check(Y2022, "fmmmmwwwwm gmmmmmmmmg gggggwgwgg gwggmggggg ggggmmmmmm", false); // 23
}

#[test]
fn what_2017_allows() {
    check(Y2017, "mmmmmmmm mwfgggwm mwgggmwm mmmmmmmm", true);
    check(Y2017, "mmmmmmmm mwfggmwm mwggmmwm mmmmmmmm", false); // five of grass with the fort
    check(Y2017, "mwwwmmmm mwfgggwm mmgggmmm mmmmmmmm", true);
    check(Y2017, "wwwwmmmm mwfgggwm mmgggmmm mmmmmmmm", false);
    check(Y2017, "mwmwmmmm mwfgggww mmgggmmw mmmmmmmm", false); // two on the right edge
}

/// The bot and the rulebook agree on whether a half is valid.
#[test]
fn the_rulebook_agrees() {
    let mut allowed = 0;
    for seed in 0..20_000 {
        let mut random = JavaRandom::new(seed);
        let mut half = half::random(Y2022, &mut random);
        let mut terrain: Vec<Terrain> = half.land.places().map(|place| half.land.terrain(place)).collect();
        for _ in 0..3 {
            terrain[random.next_below(50) as usize] = Terrain::ALL[random.next_below(3) as usize];
        }
        half.land = Land::new(10, terrain);
        let judged = treasure_rules::half::check(Y2022, &half.fields());
        assert_eq!(half.is_valid(Y2022), judged.is_ok(), "{half:?} {judged:?}");
        allowed += usize::from(judged.is_ok());
    }
    assert!((1_000..19_000).contains(&allowed), "of 20,000 halves {allowed} are allowed");
}

/// All halves that bots build are valid, and random ones differ.
#[test]
fn halves_that_are_built() {
    for profile in [Y2022, Y2017] {
        for seed in 0..300 {
            let mut random = JavaRandom::new(seed);
            let (one, other) = (half::random(profile, &mut random), half::random(profile, &mut random));
            treasure_rules::half::check(profile, &one.fields()).expect("a half that the rulebook takes");
            assert_ne!(one, other);
        }
        for seed in 0..20 {
            let good = half::good(profile, &mut JavaRandom::new(seed));
            treasure_rules::half::check(profile, &good.fields()).expect("a half that the rulebook takes");
            assert_eq!(good, half::good(profile, &mut JavaRandom::new(seed)), "the same seed gives the same half");
        }
    }
}

#[test]
fn fields_as_they_are_sent() {
    let fields = half("ggggwwwwgf gmmmmggggg gggggwgwgg gwggmggggg ggggggggmm").fields();
    assert_eq!(fields.len(), 50);
    assert_eq!((fields[9].at, fields[9].fort), (Position::new(9, 0), true));
    assert_eq!((fields[11].at, fields[11].terrain), (Position::new(1, 1), Terrain::Mountain));
    assert_eq!(fields.iter().filter(|field| field.fort).count(), 1);
}
