"""The files on disk: safe paths, atomic writes, the journal, the spool, stamps.

What a file means belongs in `core`. SQL, git and the order of a change's steps do not belong here.
"""
