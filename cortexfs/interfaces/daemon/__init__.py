"""The daemon: one process for each tree that watches it and runs jobs when they are due.

What is due is decided in `core.daemon`; what a job does is an operation.
"""
