"""What agents do, as events: sessions, prompts, sub-agents, background tasks, failures, edits.

Belongs here: their form, their reading from the events of clients, and what runs because of them.
Not here: which atoms a tool call showed (`core.access_events`).
"""
