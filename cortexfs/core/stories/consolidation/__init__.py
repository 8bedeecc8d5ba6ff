"""Scenes made of chunks, and arcs made of scenes: which belong together, and what is said of them.

Nothing here reads files or asks a language model.
"""
