"""One open tree, for any number of threads: snapshots to read, and the one way to change it.

This package holds the lock, the catalog's connections, and the steps from a plan to a commit. Rules
about content are in `core`.
"""
