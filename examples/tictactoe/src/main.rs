//! Tic-tac-toe.

use holdfast::short::*;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct TicTacToe {
    cells: [Option<Seat>; 9],
}

messages! {
    enum Move {
        /// Puts a mark on a square, 0 to 8.
        Mark { square: u8 },
    }
}

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl ShortGame for TicTacToe {
    const NAME: &'static str = "tictactoe";
    const SEATS: RangeInclusive<usize> = 2..=2;
    type Move = Move;

    fn turn(&self) -> Turn {
        Turn::Of(Seat(self.cells.iter().flatten().count() % 2))
    }

    fn play(&mut self, seat: Seat, Move::Mark { square }: &Move, _: &mut Chance) -> Result<(), Refusal> {
        let cell = self.cells.get_mut(usize::from(*square)).ok_or("Squares are 0 to 8.")?;
        if cell.is_some() {
            return Err("This square is taken.".into());
        }
        *cell = Some(seat);
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let owner = |[a, b, c]: [usize; 3]| {
            self.cells[a].filter(|_| self.cells[a] == self.cells[b] && self.cells[a] == self.cells[c])
        };
        let is_full = self.cells.iter().all(Option::is_some);
        LINES.into_iter().find_map(owner).map(Outcome::won).or(is_full.then(Outcome::draw))
    }

    fn moves(&self, _: Seat) -> impl Iterator<Item = Move> {
        (0..9).filter(|square| self.cells[usize::from(*square)].is_none()).map(|square| Move::Mark { square })
    }
}

fn main() -> ExitCode {
    App::new().game::<TicTacToe>().web("tictactoe", web_files!("draw.js", "draw.css")).run()
}

#[test]
fn laws() {
    println!("{}", laws::random_games::<TicTacToe>(2_000));
}
