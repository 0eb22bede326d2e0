"""Tests of the client against the real server: `HOLDFAST_BIN=.. python3 -m unittest discover -s tests -t .`."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "src"), str(HERE.parent / "examples"), str(HERE.parent)]
