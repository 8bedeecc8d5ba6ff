"""Functions that the hooks of coding agents call while the agent waits.

Rules belong in `core.guards`; the hook programs are in `hooks/`.
"""
