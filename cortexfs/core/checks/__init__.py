"""The rules of `check`: finding codes, rules for one text and across atoms, safe fixes.

Collecting the texts belongs in `operations`.
"""
