"""Plain text: made safe to print, measured, compared line by line, and English plurals.

Markdown belongs in `core.markdown`.
"""
