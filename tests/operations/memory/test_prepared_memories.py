"""Which memories a session is given at its start and for a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.operations.brief import brief
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.refresh_injection import list_prompt_items
from cortexfs.operations.shared.memory_types import MemoryDraft

if TYPE_CHECKING:
    from place import Place

    from cortexfs.session.session import Session


def test_a_deleted_memory_is_neither_in_the_bulletin_nor_given_for_a_prompt(
    session: Session, tree: Place
) -> None:
    for number in (1, 2):
        text = "The pump is loud" if number == 1 else "The belt is slack"
        save_memory(session, MemoryDraft(title=text, content=text, project="harbor"))
    path = "projects/harbor/observations/OBS-001.md"
    tree.write(path, tree.read(path).replace("---\n", "---\ndeleted-at: 2026-05-06 12:00\n", 1))
    with session.read() as view:
        offered = [item.ref for item in list_prompt_items(view) if "OBS" in item.ref]
    assert offered == ["harbor/OBS-002"]
    text = brief(session).bulletin.text
    assert "belt" in text
    assert "pump is loud" not in text
