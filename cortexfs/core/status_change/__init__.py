"""What a change of status asks for: of the atom, of its heir, of those that rest on it."""
