"""A proxy in front of a language model's server: it passes on requests and remembers the chat.

What is remembered, and what is put into a prompt, is decided by operations.
"""
