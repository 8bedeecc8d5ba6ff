"""A bulletin as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.bulletin.format_bulletin import format_source

if TYPE_CHECKING:
    from cortexfs.core.bulletin.bulletin_line import BulletinLine
    from cortexfs.core.bulletin.render_bulletin import ShownSection
    from cortexfs.interfaces.json.documents import tree_state as documents
    from cortexfs.operations.brief import Brief


def to_brief_json(found: Brief) -> documents.BriefFields:
    """Return a bulletin: its text, its sections, and how its length was counted."""
    document: documents.BriefFields = {
        "budget": found.budget.limit,
        "unit": found.budget.unit.value,
        "length": found.bulletin.length,
        "text": found.bulletin.text,
        "sections": [_to_section_json(section) for section in found.bulletin.sections],
    }
    if found.project:
        document["project"] = found.project
    return document


def _to_section_json(section: ShownSection) -> documents.BulletinSectionDocument:
    return {
        "name": section.key,
        "title": section.title,
        "total": section.total,
        "lines": list(map(_to_line_json, section.lines)),
    }


def _to_line_json(line: BulletinLine) -> documents.BulletinLineDocument:
    document: documents.BulletinLineDocument = {
        "source": format_source(line.source),
        "date": line.day,
    }
    if line.text:
        document["text"] = line.text
    return document
