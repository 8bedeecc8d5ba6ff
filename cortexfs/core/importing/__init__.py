"""Make atoms of notes that another program or a person wrote: values in, values out.

Here belongs how a foreign note is read, which names its links may use, and what it becomes as an
atom. Reading the folder belongs to `session`, ids and writes to the operation `import_notes`.
"""
