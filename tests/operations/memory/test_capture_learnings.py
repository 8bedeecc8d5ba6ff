"""Learnings are captured from the sections that a tree names, and from those that all know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.operations.memory.capture_learnings import capture_learnings
from cortexfs.operations.shared.memory_types import CaptureResult

if TYPE_CHECKING:
    from place import Place

    from cortexfs.session.session import Session

TEXT = "## Merkposten\n\n- The clock of the second sensor drifts in the cold.\n"


def test_a_heading_of_the_settings_begins_a_section_of_learnings(
    tree: Place, session: Session
) -> None:
    assert capture_learnings(session, TEXT, project="flywheel") == CaptureResult(0, 0, 0)
    tree.write("cortexfs.yaml", "memory:\n  learning-headings: [merkposten]\n")
    assert capture_learnings(session, TEXT, project="flywheel") == CaptureResult(1, 1, 0)
    known = TEXT.replace("Merkposten", "Key Learnings")
    assert capture_learnings(session, known, project="flywheel") == CaptureResult(1, 0, 1)
