"""The Fresh Session Test: what a session that knows nothing learns from a project's CORTEX.md.

Reading the pages belongs in `operations`.
"""
