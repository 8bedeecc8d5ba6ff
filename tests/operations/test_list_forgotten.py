"""What the tree has forgotten, how, when and why."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.operations.list_forgotten import list_forgotten
from cortexfs.operations.memory.archive_memory import archive_memory
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.run_maintenance import run_maintenance
from cortexfs.operations.shared.memory_types import MemoryDraft
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

MOMENT = datetime(2026, 5, 6, 12, tzinfo=UTC)


def test_each_way_to_be_forgotten_is_listed_with_its_reason(tree: Place) -> None:
    days = iter(range(1000))
    session = Session.open(str(tree.root), lambda: MOMENT + timedelta(days=next(days)))
    for text in ("first", "second", "the same", "the same"):
        save_memory(session, MemoryDraft("A memory", text, project="flywheel"))
    archive_memory(session, "OBS-001")
    run_maintenance(session)
    for summary in ("wrong", "gone", "moved", "back"):
        tree.ok("new", "experiment", "-p", "flywheel", "-s", summary, "-t", "x")
    tree.ok("mark", "flywheel/EXP-001", "invalidated", "--reason", "the clock\x1b was wrong")
    tree.ok("rm", "flywheel/EXP-002")
    tree.ok("rename", "flywheel/EXP-003", "EXP-009")
    tree.ok("rm", "flywheel/EXP-004")
    tree.ok("restore", "flywheel/EXP-004")
    found = list_forgotten(session, limit=9)
    told = {each.ref: (str(each.how), each.why, each.by) for each in found.atoms}
    assert told == {
        "flywheel/OBS-001": ("deleted", "archive flywheel/OBS-001: A memory", "Ada"),
        "flywheel/OBS-004": (
            "merged",
            "flywheel/OBS-003 says the same; maintain: merge 1 memory",
            "Ada",
        ),
        "flywheel/EXP-001": ("invalidated", "the clock was wrong", "Ada"),
        "flywheel/EXP-002": ("removed", "rm flywheel/EXP-002", "Ada"),
    }
    assert found.total == 4
    assert [each.ref for each in list_forgotten(session, ref="OBS-001", limit=9).atoms] == [
        "flywheel/OBS-001"
    ]
    ordinals = sorted(date.fromisoformat(each.when[:10]).toordinal() for each in found.atoms)
    latest, count = ordinals[-1], ordinals.count(ordinals[-1])
    for since, until, total in ((latest, 0, count), (0, latest - 1, 4 - count), (latest + 1, 0, 0)):
        only = AtomFilter(since=since, until=until)
        assert list_forgotten(session, only, limit=9).total == total
    assert list_forgotten(session, limit=1).total == 4
    tree.ok("project", "new", "engine", "--goal", "Run")
    assert list_forgotten(session, AtomFilter(projects=("engine",)), limit=9).total == 0
