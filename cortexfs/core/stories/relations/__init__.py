"""How entities of a story are related: fourteen types, strength, sentiment, contradictions.

`read_relations` finds ties in one passage, between names as they are written; `resolve_relations`
adds them up between entities. Not here: which names are one entity (`core.stories.entities`).
"""
