"""Keep the counts of reads in the frontmatter when a file is generated anew."""

from __future__ import annotations

from cortexfs.core.frontmatter import atom_text

READ_KEYS = ("refs", "last-ref")
"""The fields that count reads."""


def keep_reads(text: str, before: str) -> str:
    """Return a new text with the counts of reads that the present one has."""
    if "\nrefs:" not in before and "\nlast-ref:" not in before:
        return text
    fields = atom_text.parse_frontmatter(before).fields
    kept = {key: str(fields[key]) for key in READ_KEYS if key in fields}
    return atom_text.edit_frontmatter(text, kept) if kept else text
