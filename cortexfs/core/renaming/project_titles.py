"""The name of a project in text other than refs and paths: titles, its row of OVERVIEW.md."""

from __future__ import annotations

import re

from cortexfs.core.governance.edit_overview import find_project_table


def replace_project_title(text: str, old: str, new: str) -> str:
    """Return the text with a project's new name at the beginning of its first title."""
    return re.sub(
        rf"^(# ){re.escape(old)}(?![\w-])", rf"\g<1>{new}", text, count=1, flags=re.MULTILINE
    )


def replace_project_row(text: str, old: str, new: str) -> str:
    """Return the text with a project's new name in its row of the table in OVERVIEW.md."""
    found = find_project_table(text)
    row = next((row for row in found.rows if row.project == old), None) if found else None
    if row is None:
        return text
    start, end = row.cell_spans["project"]
    return text[:start] + project_name_pattern(old).sub(new, text[start:end]) + text[end:]


def project_name_pattern(name: str) -> re.Pattern[str]:
    """Return a pattern for a project's name as a word, not in a path or a longer name."""
    return re.compile(rf"(?<![\w./-]){re.escape(name)}(?![\w/-]|\.\w)")
