"""A bulletin as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.bulletin.format_bulletin import format_source

if TYPE_CHECKING:
    from cortexfs.core.bulletin.render_bulletin import ShownSection
    from cortexfs.operations.brief import Brief

    Document = dict[str, object]


def to_brief_json(found: Brief) -> Document:
    """Return a bulletin: its text, its sections, and how its length was counted."""
    document: Document = {"project": found.project} if found.project else {}
    return {
        **document,
        "budget": found.budget.limit,
        "unit": found.budget.unit.value,
        "length": found.bulletin.length,
        "text": found.bulletin.text,
        "sections": [_to_section_json(section) for section in found.bulletin.sections],
    }


def _to_section_json(section: ShownSection) -> Document:
    lines = [
        {"source": format_source(line.source), "date": line.day}
        | ({"text": line.text} if line.text else {})
        for line in section.lines
    ]
    return {
        "name": section.key,
        "title": section.title,
        "total": section.total,
        "lines": lines,
    }
