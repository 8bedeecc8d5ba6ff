"""Fill the sections of a template with given content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.markdown.edit_text import (
    append_block,
    escape_markdown_line,
    insert_block,
    replace_section_body,
)
from cortexfs.core.markdown.sections import find_lead_end, find_section, parse_sections

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def fill_sections(text: str, contents: Mapping[str, str]) -> str:
    """Return a text with sections filled in by title; a missing section is added at the end."""
    for title, content in contents.items():
        if content:
            section = find_section(parse_sections(text), (title,))
            heading = f"## {title}\n\n{content}"
            text = (
                replace_section_body(text, section, content)
                if section
                else append_block(text, heading)
            )
    return text


def format_numbered_list(items: Sequence[str]) -> str:
    """Return a numbered list, one item per line."""
    return "\n".join(
        f"{number}. {escape_markdown_line(item)}" for number, item in enumerate(items, start=1)
    )


def format_bullet_list(items: Sequence[str]) -> str:
    """Return a bulleted list, one item per line."""
    return "\n".join(f"- {escape_markdown_line(item)}" for item in items)


def append_to_lead(text: str, block: str) -> str:
    """Return a text with a paragraph added before the first section."""
    return insert_block(text, find_lead_end(text), block)
