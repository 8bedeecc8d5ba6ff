"""Markdown as values: code, comments, lines, sections, lists, tables and links, with offsets.

The meaning of a section belongs to its own package, frontmatter to `core.frontmatter`.
"""
