//! High card: players have hands that others must not see, and play cards face down. The highest takes the trick.

use holdfast::short::*;

/// A card is 1 to 24; 0 is one whose face is hidden.
type Card = u8;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct HighCard {
    deck: Vec<Card>,
    hands: Vec<Vec<Card>>,
    /// The cards of this trick, face down until everyone has played.
    table: Vec<Option<Card>>,
    /// The cards of the last trick.
    last: Vec<Card>,
    tricks: Vec<i64>,
}

messages! {
    enum Move {
        /// Plays a card of the hand, face down.
        Play { card: u8 },
    }
}

impl HighCard {
    /// The seats that have not played in this trick.
    fn missing(&self) -> Vec<Seat> {
        (0..self.table.len()).filter(|at| self.table[*at].is_none()).map(Seat).collect()
    }

    /// Turns the cards over, counts the trick, and draws new cards.
    fn reveal(&mut self) {
        self.last = self.table.iter_mut().filter_map(Option::take).collect();
        let highest = (0..self.last.len()).max_by_key(|at| self.last[*at]).unwrap_or_default();
        self.tricks[highest] += 1;
        for hand in &mut self.hands {
            hand.extend(self.deck.pop());
        }
    }
}

impl ShortGame for HighCard {
    const NAME: &'static str = "highcard";
    const SEATS: RangeInclusive<usize> = 2..=4;
    const FIGURES: &'static [&'static str] = &["cards in the deck"];
    type Move = Move;

    fn start(start: &Start<'_>, chance: &mut Chance) -> Result<Self, Refusal> {
        let mut deck: Vec<Card> = (1..=24).collect();
        chance.shuffle(&mut deck);
        let hands = (0..start.seats).map(|_| deck.split_off(deck.len() - 3)).collect();
        Ok(Self { deck, hands, table: vec![None; start.seats], last: vec![], tricks: vec![0; start.seats] })
    }

    fn turn(&self) -> Turn {
        Turn::Any(self.missing())
    }

    fn play(&mut self, seat: Seat, Move::Play { card }: &Move, _: &mut Chance) -> Result<(), Refusal> {
        let hand = &mut self.hands[seat.0];
        let at = hand.iter().position(|own| own == card).ok_or("You do not have this card.")?;
        self.table[seat.0] = Some(hand.remove(at));
        if self.missing().is_empty() {
            self.reveal();
        }
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_over = self.hands.iter().all(Vec::is_empty) && self.table.iter().all(Option::is_none);
        is_over.then(|| Outcome::score(self.points()))
    }

    /// The tricks count in a game that a player gives up, too.
    fn points(&self) -> Vec<i64> {
        self.tricks.clone()
    }

    fn moves(&self, seat: Seat) -> impl Iterator<Item = Move> {
        self.hands[seat.0].iter().map(|card| Move::Play { card: *card })
    }

    /// A seat sees its own cards. It sees how many others have, but not which. At the end everyone sees everything.
    fn view(&self, seat: Option<Seat>) -> Option<Self> {
        let mut view = self.clone();
        if self.outcome().is_some() {
            return Some(view);
        }
        view.deck.fill(0);
        for (at, hand) in view.hands.iter_mut().enumerate().filter(|(at, _)| Some(Seat(*at)) != seat) {
            hand.fill(0);
            view.table[at] = view.table[at].map(|_| 0);
        }
        Some(view)
    }

    /// The last card of a trick turns all of them over, so everyone may know it.
    fn tells(&self, seat: Seat, _: &Move) -> Tells {
        if self.missing() == [seat] { Tells::All } else { Tells::Sender }
    }

    fn story(&self, told: &Told<'_, Move>) -> String {
        let highest = (0..self.last.len()).max_by_key(|at| self.last[*at]);
        match (told.play, highest) {
            (Some(_), Some(at)) => format!("{} takes the trick with {}.", told.name(Seat(at)), self.last[at]),
            _ => format!("{} plays a card face down.", told.mover()),
        }
    }

    fn figures(&self) -> Vec<i64> {
        vec![self.deck.len() as i64]
    }
}

fn main() -> ExitCode {
    App::new().game::<HighCard>().run()
}

#[test]
fn laws() {
    println!("{}", laws::random_games::<HighCard>(1_000));
}
