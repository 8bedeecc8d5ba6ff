"""Agent memory: what agents save while they work, and how they get it back.

Each file has one use case. Rules about content belong in `core.memory`.
"""
