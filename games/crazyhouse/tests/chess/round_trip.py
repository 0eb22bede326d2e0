"""Reads games in PGN from standard input with python-chess, and writes them again, with every move and position as it sees them.

The board has the rules of this game: a promoted piece is what it is, there is no castling, and there is no en passant.
"""

import sys

import chess
import chess.pgn
import chess.variant


class Board(chess.variant.CrazyhouseBoard):
    """Crazyhouse with the rules of this game."""

    def push(self, move: chess.Move) -> None:
        super().push(move)
        self.promoted = chess.BB_EMPTY
        self.ep_square = None

    def clean_castling_rights(self) -> chess.Bitboard:
        return chess.BB_EMPTY


# Games say that they are crazyhouse; this board is found first.
chess.variant.VARIANTS.insert(0, Board)

while (game := chess.pgn.read_game(sys.stdin)) is not None:
    if game.errors:
        sys.exit(f"python-chess does not understand: {game.errors}")
    board = game.board()
    if type(board) is not Board:
        sys.exit(f"a board of type {type(board)}")
    for move in game.mainline_moves():
        san = board.san(move)
        board.push(move)
        # The counter of quiet moves is not kept by our side.
        fen = board.fen().split(" ")
        print("#", san, fen[0], fen[1], board.is_checkmate())
    print(game, end="\n\n")
