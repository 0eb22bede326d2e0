"""Tests of the messages of crazyhouse: `python3 -m unittest discover -s tests -t .`."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[3] / "clients" / "python" / "src"), str(HERE.parent / "src")]
