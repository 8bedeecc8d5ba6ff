"""Split, parse and edit YAML frontmatter; an edit keeps every byte of other entries.

What a field means belongs in `core.atoms`.
"""
