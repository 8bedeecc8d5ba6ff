"""What an atom is: its kind, fields, status and path, how one is parsed and created.

Rules between several atoms belong in `core.checks`, `core.graph` or `core.status_change`.
"""
