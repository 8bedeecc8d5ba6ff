"""The tasks of a project: read from TASKS.yaml, ordered, and changed without touching the rest.

Claims under the tree's lock belong in `operations.tasks`.
"""
