"""What a change of status asks for: of the atom, of its successor, of those that rest on it.

Which statuses there are belongs in `core.atoms.lifecycle`.
"""
