"""Questions and answers: terms, queries, filters, ranking, snippets, entities.

Asking the index belongs in `catalog`.
"""
