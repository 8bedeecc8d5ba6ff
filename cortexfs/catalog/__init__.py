"""The derived SQLite database: how it follows the tree, and all queries on it.

SQL, the full-text indexes and the vectors belong here. Facts that are not in the tree, and writes
to the tree, do not: deleting the database loses nothing.
"""
