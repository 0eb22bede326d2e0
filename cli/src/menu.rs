//! Offers as numbered lines.

use engine::{Offer, Offers};

/// A question as lines. Impossible answers keep their numbers and show the reason; a question inside another one has a way back.
pub fn question<C, E>(offers: &Offers<C, E>, is_inside: bool) -> Vec<String> {
    let mut lines = vec![offers.title.clone()];
    for (offer, number) in offers.offers.iter().zip(1..) {
        lines.push(answer(offer, number));
    }
    if is_inside {
        lines.push("  0. Back".into());
    }
    lines
}

fn answer<C, E>(offer: &Offer<C, E>, number: usize) -> String {
    match offer.why_not() {
        None => format!("  {number}. {}", offer.label),
        Some(why) => format!("  {number}. ({}) Not now: {why}", offer.label),
    }
}
