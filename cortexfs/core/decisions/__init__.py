"""Decisions: what they weigh, how they are settled, and whether they stay as they were.

A change of status that any atom can have belongs in `core.status_change`.
"""
