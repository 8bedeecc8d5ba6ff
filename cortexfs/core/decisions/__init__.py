"""Decisions: their alternatives, how they are settled, and whether they stay unchanged.

Changes of status that any atom can have belong in `core.status_change`.
"""
