"""Markdown as values: what is fenced off, lines, sections, lists and tables, each by its place."""
