"""What several operations share; no use case of its own.

A rule that needs no session belongs in `core`.
"""
