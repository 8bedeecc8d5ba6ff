"""The pages of the documentation, taken apart."""

from __future__ import annotations

import re
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
PAGES = sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").glob("*.md")])


def page(name: str) -> str:
    return (REPOSITORY / name).read_text()


def name_of(path: Path) -> str:
    return str(path.relative_to(REPOSITORY))


def section(text: str, heading: str) -> str:
    """Give what stands under a heading, down to the next of its rank or above."""
    rank = len(heading) - len(heading.lstrip("#"))
    form = rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{rank}}} |\Z)"
    found = re.search(form, text, re.MULTILINE | re.DOTALL)
    assert found, f"no heading {heading!r}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """Give the cells of every table row, headings aside."""
    lines = text.splitlines()
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]
        for before, line in zip(["", *lines], lines, strict=False)
        if line.startswith("|") and before.startswith("|") and not line.startswith("|--")
    ]


def words(text: str) -> list[str]:
    """Give what stands between backticks."""
    return re.findall(r"`([^`\n]+)`", text)
