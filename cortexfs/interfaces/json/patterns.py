"""Patterns and proposals as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.operations.detect_patterns import PatternReport

    Document = dict[str, object]


def to_patterns_json(report: PatternReport) -> Document:
    """Return what pattern detection found in the window."""
    return {
        "enabled": report.is_enabled,
        "since": report.since_day,
        "sessions": report.session_count,
        "candidates": report.tried,
        "notes": [
            {
                "id": note.id,
                "ref": note.ref,
                "action": str(note.action),
                "title": note.text.title,
                "content": note.text.content,
            }
            for note in report.notes
        ],
        "proposals": [
            {
                "id": each.id,
                "key": each.key,
                "value": each.wording,
                "sessions": len(each.sessions),
                "projects": list(each.projects),
            }
            for each in report.proposals
        ],
    }
