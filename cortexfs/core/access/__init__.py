"""The access log: its lines, what they add up to, and how months are rotated.

Parsing a hook event into reads belongs in `core.access_events`.
"""
