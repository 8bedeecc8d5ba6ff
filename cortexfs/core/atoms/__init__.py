"""What an atom is: kind, fields, refs, status and path, and how one is parsed and created.

Rules between several atoms belong in `core.checks`, `core.graph` or `core.status_change`.
"""
