"""Search: terms, queries, filters, ranking, snippets, links and entities.

Querying the index belongs in `catalog`.
"""
