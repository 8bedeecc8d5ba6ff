"""Changes as values: plans, changed files, and undoing a commit.

Executing a plan belongs in the session.
"""
