"""Atoms: kinds, fields, refs, status and paths; parsing and creating an atom.

Rules between several atoms belong in `core.checks`, `core.graph` or `core.status_change`.
"""
