"""The git repository around a tree: committed, past and uncommitted content.

This is the only package that runs git, and it knows nothing of atoms. Paths are posix and relative
to the tree's root. A repository's own settings, hooks and programs are not used.
"""
