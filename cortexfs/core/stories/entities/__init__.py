"""Names in a conversation and what they name: people, places, factions, items, events, concepts.

`read_passage` finds evidence in one passage; `Totals` adds it up; `resolve_entities` decides. Not
here: how people are related (`core.stories.relations`), nor the Markdown of an entity.
"""
