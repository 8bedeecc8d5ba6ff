"""What a change of status requires: of the atom, its successor, and the atoms that depend on it.

The statuses themselves belong in `core.atoms.lifecycle`.
"""
