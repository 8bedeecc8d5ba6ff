"""The git repository around a tree: what is committed, what was, and what is not yet.

This is the only package that runs git, and it knows nothing of atoms. Paths are posix and
relative to the tree's root. A repository's own settings, hooks and programs are not used.
"""
