"""The name of a project where no ref and no path says it: titles, its row of OVERVIEW.md."""

from __future__ import annotations

import re

from cortexfs.core.governance.overview import find_project_table


def with_title(text: str, old: str, new: str) -> str:
    """Write a project's new name where the first title of a file begins with the old one."""
    return re.sub(
        rf"^(# ){re.escape(old)}(?![\w-])", rf"\g<1>{new}", text, count=1, flags=re.MULTILINE
    )


def with_row(text: str, old: str, new: str) -> str:
    """Write a project's new name into its row of the table in OVERVIEW.md."""
    found = find_project_table(text)
    row = next((row for row in found.rows if row.project == old), None) if found else None
    if row is None:
        return text
    start, end = row.cell_spans["project"]
    return text[:start] + word(old).sub(new, text[start:end]) + text[end:]


def word(name: str) -> re.Pattern[str]:
    """Find the name of a project that stands alone, in no path and no longer name."""
    return re.compile(rf"(?<![\w./-]){re.escape(name)}(?![\w/-]|\.\w)")
