"""The terminal panel: pages of rows and of text, keys, and changes that are confirmed.

It calls operations and shows what they return. It reads no file and decides nothing.
"""
