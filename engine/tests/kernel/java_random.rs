//! Compares the generator with the JDK's generator: with a recorded file, and with the JDK itself if it is installed.

use std::{fmt::Write as _, path::Path, process::Command};

use engine::JavaRandom;

const RECORDED: &str = include_str!("../java/vectors.txt");

/// The line that the Java program writes for the same seed, call and number of values.
fn our_line(line: &str) -> String {
    let mut words = line.split(' ');
    let (seed, call) = (words.next().expect("a seed"), words.next().expect("a call"));
    let count = words.count();
    let name = call.trim_end_matches(|c: char| c.is_ascii_digit());
    let number: i32 = call[name.len()..].parse().unwrap_or_default();

    let mut random = JavaRandom::new(seed.parse().expect("a seed is a long"));
    let mut ours = format!("{seed} {call}");
    if name == "shuffle" {
        let mut list: Vec<i32> = (0..number).collect();
        random.shuffle(&mut list);
        list.iter().for_each(|item| write!(ours, " {item}").expect("writing to a string"));
        return ours;
    }
    for _ in 0..count {
        match name {
            "next" => write!(ours, " {}", random.next(number.cast_unsigned())),
            "int" => write!(ours, " {}", random.next_int()),
            "below" => write!(ours, " {}", random.next_below(number)),
            "long" => write!(ours, " {}", random.next_long()),
            "boolean" => write!(ours, " {}", random.next_boolean()),
            "double" => write!(ours, " {}", random.next_double().to_bits()),
            _ => panic!("unknown call of the Java program: {name}"),
        }
        .expect("writing to a string");
    }
    ours
}

#[test]
fn equals_the_recorded_jdk() {
    let lines: Vec<&str> = RECORDED.lines().collect();
    assert_eq!(lines.len(), 20 * 33, "20 seeds and 33 calls each");
    for line in lines {
        assert_eq!(our_line(line), line);
    }
}

#[test]
fn equals_the_jdk_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    let Ok(java) = Command::new("java").arg("Vectors.java").current_dir(folder).output() else {
        assert!(std::env::var_os("HOLDFAST_CI").is_none(), "HOLDFAST_CI is set, but there is no java");
        eprintln!("java is missing: compared with the recorded vectors only");
        return;
    };
    assert!(java.status.success(), "{}", String::from_utf8_lossy(&java.stderr));
    assert_eq!(String::from_utf8(java.stdout).expect("the program writes ASCII"), RECORDED);
}

#[test]
#[should_panic(expected = "the bound of a random number must be positive, not 0")]
fn a_bound_of_zero_panics() {
    JavaRandom::new(0).next_below(0);
}

/// `pass_shuffle` leaves the generator in the same state as `shuffle`, even if numbers are drawn again.
#[test]
fn passing_a_shuffle() {
    let check = |random: &JavaRandom, items: usize| {
        let (mut shuffled, mut passed) = (random.clone(), random.clone());
        shuffled.shuffle(&mut vec![(); items]);
        passed.pass_shuffle(items);
        assert_eq!(shuffled, passed, "{items} items after {random:?}");
    };
    for items in 0..40 {
        (0..500).for_each(|seed| check(&JavaRandom::new(seed), items));
    }
    // In a list of this length, hundreds of numbers are drawn again.
    const MANY: usize = 1_000_000;
    let mut random = JavaRandom::new(3);
    let mut again = 0;
    for _ in 0..3 {
        let drawn = random.clone();
        check(&random, MANY);
        random.shuffle(&mut [(); MANY]);
        let mut one_step_each = drawn;
        (1..MANY).for_each(|_| _ = one_step_each.next(31));
        again += u32::from(one_step_each != random);
    }
    assert!(again > 0, "some number was drawn again");
}
