"""The real server, and the scenarios of the game."""

from __future__ import annotations

from pathlib import Path

from holdfast_host import PATIENCE, Host, holdfast

__all__ = ["PATIENCE", "SCENARIOS", "Host", "holdfast", "scenario_text"]

RESOURCES = Path(__file__).resolve().parents[2] / "scenarios"
SCENARIOS = ("first-night", "winter", "crossroads")


def scenario_text(name: str) -> str:
    return (RESOURCES / f"{name}.json").read_text()
