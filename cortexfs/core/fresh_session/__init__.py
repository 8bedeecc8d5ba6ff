"""The Fresh Session Test: what a new session learns starting from a project's CORTEX.md.

Reading the pages belongs in `operations`.
"""
