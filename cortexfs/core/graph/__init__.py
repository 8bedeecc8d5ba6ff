"""The link graph between atoms: links are resolved, walked over several steps, and drawn.

Querying the links of atoms belongs in `catalog`.
"""
