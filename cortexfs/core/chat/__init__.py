"""The chat with the cortex as values: messages, events, and the grammar that needs no model.

What a tool does belongs in `operations.chat`, and the files of threads in `session`.
"""
