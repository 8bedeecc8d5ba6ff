"""Words in, words that can be found out: tokens, queries, ranking, snippets."""
