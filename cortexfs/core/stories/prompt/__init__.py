"""How what a story recalls is written into a prompt: formats, budgets, macros, the envelope.

All texts of chats are untrusted; only `envelope` decides what of them gets through, and how.
"""
