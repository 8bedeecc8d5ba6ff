"""Values as JSON documents, written out key by key: the shapes of docs/json.md.

Keys are kebab-case, and each has one meaning. Parsing
input belongs in the interface that reads it.
"""
