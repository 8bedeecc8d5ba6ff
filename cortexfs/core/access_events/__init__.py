"""From a client's tool call to access events: which atoms it showed.

Files and the clock do not belong here; what the log adds up to belongs in `core.access`.
"""
