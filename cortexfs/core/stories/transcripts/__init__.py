"""Transcripts of other programs: one module for each format, from text to messages.

A line or an entry that cannot be read is refused alone; all texts are cleaned.
"""
