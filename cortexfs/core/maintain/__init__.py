"""What maintenance finds in a tree: one module for each kind of suggestion, from values alone.

Errors belong in `core.checks`.
"""
