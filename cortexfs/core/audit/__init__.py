"""Audit of memories, ours and those of other programs: duplicates, loops, secrets, what is unread.

Problems of the format belong in `core.checks`; here are rules about the worth of what was saved.
"""
