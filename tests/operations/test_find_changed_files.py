"""What is new, changed and gone since the last look, by whom ever."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.operations.find_changed_files import ChangedFiles, find_changed_files
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

FOLDER = "projects/driftwood/experiments"


def test_what_is_new_changed_and_gone_is_named_once(sample: Place) -> None:
    session = Session.open(str(sample.root), lambda: datetime(2026, 5, 6, tzinfo=UTC))
    changed, known = find_changed_files(session, None)
    assert changed == ChangedFiles((), ())
    text = sample.read(f"{FOLDER}/EXP-012.md")
    sample.write(f"{FOLDER}/EXP-012.md", f"{text}\nMore.\n")
    sample.write(f"{FOLDER}/EXP-099.md", text.replace("EXP-012", "EXP-099"))
    (sample.root / FOLDER / "EXP-014.md").unlink()
    changed, known = find_changed_files(session, known)
    assert changed.paths == tuple(f"{FOLDER}/EXP-0{n}.md" for n in ("12", "14", "99"))
    assert changed.refs == tuple(f"driftwood/EXP-0{n}" for n in ("12", "14", "99"))
    assert find_changed_files(session, known)[0] == ChangedFiles((), ())
