//! The command `holdfast rng`.

use crate::{holdfast, stdout};

/// The output of `new Random(42)` in a JDK.
#[test]
fn the_numbers_of_java() {
    let output = holdfast(&["rng", "--seed", "42", "--count", "5"]);
    assert!(output.status.success());
    let text = stdout(&output);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("nextInt()      -1170105035 234785527 -1360544799 205897768 1325939940"));
    assert_eq!(lines.next(), Some("nextInt(6)+1   3 4 1 3 1"));
}

#[test]
fn negative_seeds_work() {
    let text = stdout(&holdfast(&["rng", "--seed", "-1", "--count", "2"]));
    assert!(text.starts_with("nextInt()      1155099827 1887904451\n"), "{text}");
    let text = stdout(&holdfast(&["rng", "--seed=-9223372036854775808", "--count", "1"]));
    assert!(text.starts_with("nextInt()      -1155484576\n"), "the lowest seed is as good as 0: {text}");
}

#[test]
fn a_seed_is_a_long() {
    let output = holdfast(&["rng", "--seed", "9223372036854775808"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("9223372036854775808"));
}
