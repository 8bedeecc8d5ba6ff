"""Which atom names which: links resolved, walked over several steps, and drawn.

Asking for the links of some atoms belongs in `catalog`.
"""
