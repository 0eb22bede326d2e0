"""The rulebook colony: its messages, its scenario, and the board that everybody may see."""
