"""The access log: its lines, planning a drain, monthly rotation, and read counts in atoms.

Parsing a hook event into access events belongs in `core.access_events`.
"""
