"""How much a passage matters: its emotions, narrative flags, and each part of its score.

Pure functions of one text and of weights; what a memory is worth at a given moment is recall.
"""
