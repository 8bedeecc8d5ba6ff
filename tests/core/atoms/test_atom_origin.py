"""Who wrote an atom: one rule for frontmatter, rows of the catalog, and memories."""

from __future__ import annotations

import pytest

from cortexfs.core.atoms.atom_origin import AtomOrigin, make_origin


@pytest.mark.parametrize(
    ("kind", "session", "tool", "source", "sort"),
    [
        ("prompt", "s1", "Bash", "engram:4", "person"),
        ("observation", "s1", "", "engram:4", "agent"),
        ("observation", "", "Bash", "", "agent"),
        ("knowledge", "", "", "notes/a.md", "import"),
        ("knowledge", "", "", "", "file"),
    ],
)
def test_the_first_that_names_somebody_decides(
    kind: str, session: str, tool: str, source: str, sort: str
) -> None:
    origin = make_origin(kind, session, tool, source, "2026-05-06")
    assert origin == AtomOrigin(sort, session, tool, source, "2026-05-06")
