"""The chat with the cortex: send a message, list threads and messages, delete a thread.

Its tools call the other operations; nothing else belongs here.
"""
