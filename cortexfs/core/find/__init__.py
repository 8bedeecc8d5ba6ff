"""Words in, words that can be found out: terms, queries, ranking, snippets."""
