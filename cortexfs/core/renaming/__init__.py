"""Change the name of an atom or a project in every text that means it; no other byte changes."""
