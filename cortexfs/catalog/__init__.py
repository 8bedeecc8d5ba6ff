"""The derived SQLite database: how it follows the tree, and every question that is asked of it.

Here belong SQL, the full-text indexes and the vectors. A fact that the tree does not hold, and
writing to the tree, do not: deleting the database loses nothing.
"""
