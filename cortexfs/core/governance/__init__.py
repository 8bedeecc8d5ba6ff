"""The governance files of a project as values: sections, status, issues, checklists, overview.

TASKS.yaml belongs in `core.tasks`, CORTEX.md in `core.indexes`.
"""
