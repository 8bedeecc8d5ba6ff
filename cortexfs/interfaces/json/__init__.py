"""Values as JSON documents, written out key by key: the shapes of docs/json.md.

The command line, MCP and REST use the same ones. Keys are kebab-case, and none means two things.
Parsing input belongs in the interface that reads it.
"""
