//! Connect four, with a clock: three minutes for each player, and two seconds for each move.

use holdfast::short::*;

const WIDTH: usize = 7;
const HEIGHT: usize = 6;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ConnectFour {
    /// The discs of each column, the lowest first.
    columns: [Vec<Seat>; WIDTH],
}

messages! {
    enum Move {
        /// Drops a disc into a column, 0 to 6 from the left.
        Drop { column: u8 },
    }
}

impl ConnectFour {
    fn disc(&self, column: usize, row: usize) -> Option<Seat> {
        self.columns.get(column)?.get(row).copied()
    }

    /// The owner of four discs that go from here into one direction.
    fn four(&self, column: usize, row: usize, (right, up): (isize, isize)) -> Option<Seat> {
        let at =
            |steps: isize| self.disc(column.checked_add_signed(steps * right)?, row.checked_add_signed(steps * up)?);
        at(0).filter(|owner| (1..4).all(|steps| at(steps) == Some(*owner)))
    }

    fn discs(&self) -> usize {
        self.columns.iter().map(Vec::len).sum()
    }
}

impl ShortGame for ConnectFour {
    const NAME: &'static str = "connect-four";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const CLOCK: Option<Clock> = Some(Clock::seconds(180, 2));
    const SCENARIOS: &'static [(&'static str, &'static str)] =
        &[("blitz", r#"{"clock": {"initial": 20}}"#), ("unhurried", r#"{"clock": null}"#)];
    const FIGURES: &'static [&'static str] = &["discs"];
    const BOTS: &'static [Bot<Self>] =
        &[Bot { name: "careful", about: "wins if it can, and stops the other from winning at once", choose: careful }];
    type Move = Move;

    fn turn(&self) -> Turn {
        Turn::Of(Seat(self.discs() % 2))
    }

    fn play(&mut self, seat: Seat, Move::Drop { column }: &Move, _: &mut Chance) -> Result<(), Refusal> {
        let column = self.columns.get_mut(usize::from(*column)).ok_or("Columns are 0 to 6.")?;
        if column.len() == HEIGHT {
            return Err("This column is full.".into());
        }
        column.push(seat);
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let squares = (0..WIDTH).flat_map(|column| (0..HEIGHT).map(move |row| (column, row)));
        let fours = squares.flat_map(|at| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|direction| (at, direction)));
        let winner = fours.into_iter().find_map(|((column, row), direction)| self.four(column, row, direction));
        winner.map(Outcome::won).or((self.discs() == WIDTH * HEIGHT).then(Outcome::draw))
    }

    fn moves(&self, _: Seat) -> impl Iterator<Item = Move> {
        let open = (0..WIDTH).filter(|column| self.columns[*column].len() < HEIGHT);
        open.map(|column| Move::Drop { column: column as u8 })
    }

    fn words(&self, Move::Drop { column }: &Move) -> String {
        format!("drops a disc into column {column}")
    }

    /// The board as people draw it: a line for each row, the highest first.
    fn picture(&self) -> Value {
        let letter = |seat: Option<Seat>| ['X', 'O'].get(seat.map_or(2, |seat| seat.0)).unwrap_or(&'.').to_owned();
        let row = |row| (0..WIDTH).map(|column| letter(self.disc(column, row))).collect::<String>();
        json!((0..HEIGHT).rev().map(row).collect::<Vec<_>>())
    }

    fn figures(&self) -> Vec<i64> {
        vec![self.discs() as i64]
    }
}

/// Wins if it can, drops its disc where the other one would win, or leaves the move to chance.
fn careful(game: &ConnectFour, seat: Seat, _: &mut Chance) -> Option<Move> {
    let wins = |seat: Seat, Move::Drop { column }: &Move| {
        let mut after = game.clone();
        after.columns[usize::from(*column)].push(seat);
        after.outcome() == Some(Outcome::won(seat))
    };
    [seat, Seat(1 - seat.0)].into_iter().find_map(|seat| game.moves(seat).find(|play| wins(seat, play)))
}

fn main() -> ExitCode {
    App::new().game::<ConnectFour>().run()
}

#[test]
fn laws() {
    println!("{}", laws::random_games::<ConnectFour>(1_000));
}
