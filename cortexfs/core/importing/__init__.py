"""Turn notes of other programs or of a person into atoms: values in, values out.

How a foreign note is parsed, which names its links may use, and what it becomes as an atom. Reading
the folder belongs in `session`, ids and writes in the operation `import_notes`.
"""
