"""A change as a value: plans, changed files, and how a commit is undone.

Executing a plan belongs in the session.
"""
