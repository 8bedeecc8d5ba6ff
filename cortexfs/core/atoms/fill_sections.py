"""Put what a person says into the sections of a starting text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.markdown.sections import lead_end, named, sections
from cortexfs.core.markdown.splices import append, insert, paragraph, refill

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def composed(text: str, said: Mapping[str, str]) -> str:
    """Fill the sections that something is said of, by their titles; a missing one comes last."""
    for title, content in said.items():
        if content:
            section = named(sections(text), (title,))
            heading = f"## {title}\n\n{content}"
            text = refill(text, section, content) if section else append(text, heading)
    return text


def numbered(items: Sequence[str]) -> str:
    """Write a numbered list, an item a line."""
    return "\n".join(f"{number}. {paragraph(item)}" for number, item in enumerate(items, start=1))


def bulleted(items: Sequence[str]) -> str:
    """Write a list, an item a line."""
    return "\n".join(f"- {paragraph(item)}" for item in items)


def below_title(text: str, block: str) -> str:
    """Add a paragraph at the end of what stands above the first section."""
    return insert(text, lead_end(text), block)
