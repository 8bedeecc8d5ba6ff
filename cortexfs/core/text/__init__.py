"""Untrusted text made safe to show, and English plurals.

Markdown belongs in `core.markdown`.
"""
