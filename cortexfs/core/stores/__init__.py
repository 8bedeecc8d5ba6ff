"""Memories in the files of other programs, and in our own exports: parsed into values, and back.

The parsers read text and return values; opening the files is done elsewhere.
"""
