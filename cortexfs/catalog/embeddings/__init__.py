"""Vectors of texts: the installed model, the vector file, and similar texts.

How vectors and words are combined belongs in `core.find`.
"""
