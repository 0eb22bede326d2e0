//! systest
fn main() {}
