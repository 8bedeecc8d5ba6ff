"""What long conversations tell: messages, chunks, people, places, promises and turning points.

Pure functions from messages to memories; nothing here knows files, the catalog or a clock.
"""
