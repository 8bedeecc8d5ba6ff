"""Operations on the chats of projects: import, append, rebuild, list, explain.

Shared parts, such as the plan of the files of chunks, are here too.
"""
