"""The agent memory: records of memories, sessions and prompts, and the rules on their texts.

Reading the access log belongs in `core.access`, and finding entities in `core.find`.
"""
