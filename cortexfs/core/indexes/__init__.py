"""Render index.md and the generated part of CORTEX.md.

Reading the rows from the database belongs in `catalog`.
"""
