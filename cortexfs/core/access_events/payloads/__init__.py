"""Translate the hook events of each client into one form of tool call, that of Claude Code.

Which atoms a call showed is decided by the rest of `core.access_events`, for all clients alike.
"""
