"""Settings of other programs: how to add ourselves and how to leave no trace.

Texts in and texts out, and the files that hold them. The tree does not belong here.
"""
