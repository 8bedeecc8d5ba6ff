"""What other programs' settings look like, and how to be in them and out of them again."""
