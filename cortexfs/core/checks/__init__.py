"""Every rule of `check`: finding codes, rules for one text and between atoms, safe fixes.

Collecting the texts belongs in `operations`.
"""
