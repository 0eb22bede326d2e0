"""Tests of the clients against the real server: `HOLDFAST_BIN=.. python3 -m unittest discover -s tests -t .`."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[3] / "clients" / "python"
FOLDERS = [SHARED / "src", SHARED / "tests" / "support", HERE.parent / "src", HERE.parent / "examples"]
sys.path[:0] = [str(folder) for folder in FOLDERS]
