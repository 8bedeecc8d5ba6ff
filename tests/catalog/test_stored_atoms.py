"""What the atoms of a catalog are asked for, beside the tests of those who ask."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

FOLDER = "projects/lathe/experiments"
ATOM = "---\nid: {0}\nsummary: x\nstatus: valid\n{1}---\n\n## Results\n\nNone.\n"


@pytest.fixture
def lathe(tree: Place) -> Place:
    for number, date in enumerate(("2026-03-02", "2026-03-09 10:00", "2026-03-09", "[9999]", "")):
        ident = f"EXP-00{number + 1}"
        line = f"date: {date}\n" if date else ""
        tree.write(f"{FOLDER}/{ident}.md", ATOM.format(ident, line))
    other = f"{FOLDER.replace('lathe', 'lathe-2')}/EXP-009.md"
    tree.write(other, ATOM.format("EXP-009", "date: 2026-09-09\n"))
    return tree


def test_the_newest_atom_of_a_project_is_named_by_its_date_as_written(lathe: Place) -> None:
    with Session.open(str(lathe.root), lambda: datetime.now(UTC)).read() as view:
        atoms = view.stored_atoms
        assert atoms.find_newest("lathe") == ("2026-03-09", "lathe/EXP-003")
        assert atoms.find_newest("lathe-2") == ("2026-09-09", "lathe-2/EXP-009")
        assert atoms.find_newest("la") == ("", "")


def test_only_paths_with_an_atom_have_a_kind(lathe: Place) -> None:
    with Session.open(str(lathe.root), lambda: datetime.now(UTC)).read() as view:
        paths = [f"{FOLDER}/EXP-001.md", f"{FOLDER}/EXP-099.md", "CORTEX.md"]
        assert view.stored_atoms.find_kinds(paths) == {paths[0]: "experiment"}
        (only,) = view.stored_atoms.iter_kinds({"experiment"}, "lathe-2")
        assert only.ref == "lathe-2/EXP-009"
