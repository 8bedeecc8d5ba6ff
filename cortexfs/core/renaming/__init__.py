"""Change the name of an atom or a project in every text that uses it; no other byte changes."""
