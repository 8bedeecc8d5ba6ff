"""Split, read and edit YAML frontmatter; other entries keep every byte.

What a field means belongs in `core.atoms`.
"""
