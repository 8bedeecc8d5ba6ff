"""The files on disk: safe paths, atomic writes, the journal, the spool, stamps.

The meaning of a file belongs in `core`. SQL, git and the order of steps in a change do not belong
here.
"""
