"""Colours in which a chat shows what somebody says, thinks or does.

From the tags of one message to whose colour it is, and from all messages to the colours of a
character. Nothing here shows a colour.
"""
