"""Vectors of texts: the installed model, the file that keeps them, which texts are near.

How vectors and words are weighed together belongs in `core.find`.
"""
