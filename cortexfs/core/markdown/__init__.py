"""Markdown as values: code blocks, comments, lines, sections, lists and tables, with offsets.

The meaning of a section belongs to its own package, frontmatter to `core.frontmatter`.
"""
