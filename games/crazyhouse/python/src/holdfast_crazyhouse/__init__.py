"""The rulebook crazyhouse: its messages."""
