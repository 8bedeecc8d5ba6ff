"""Turn a client's tool call into access events for the atoms that it showed.

This package reads no files and no clock; totals of the log belong in `core.access`.
"""
