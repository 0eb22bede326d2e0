"""Tests of what every game shares: `python3 -m unittest discover -s tests -t .`."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
GAMES = HERE.parents[2] / "games"
#: The folders of games with Python, by their names.
FOLDERS = {folder.parent.name: folder for folder in sorted(GAMES.glob("*/python"))}
sys.path[:0] = [str(HERE.parent / "src"), str(HERE.parent), str(HERE / "support"), *(str(folder / "src") for folder in FOLDERS.values())]
