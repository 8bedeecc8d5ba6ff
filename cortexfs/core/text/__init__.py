"""Plain text: sanitizing, width in cells, line diffs, similar names, and English plurals.

Markdown belongs in `core.markdown`.
"""
