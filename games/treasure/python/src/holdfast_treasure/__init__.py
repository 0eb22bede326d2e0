"""The rulebook treasure: its messages."""
