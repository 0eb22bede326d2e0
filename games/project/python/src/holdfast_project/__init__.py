"""The rulebook project: its messages."""
