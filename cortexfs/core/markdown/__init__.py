"""Markdown as values: what is fenced off, lines, sections, lists and tables, each by its place.

What a section means belongs to its subject; frontmatter in `core.frontmatter`.
"""
