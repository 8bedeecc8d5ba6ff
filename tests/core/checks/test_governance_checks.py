"""Governance files are held against their caps, and a roadmap against its rule."""

from __future__ import annotations

import pytest

from cortexfs.core.checks.governance_checks import check_governance_file
from cortexfs.core.checks.size_limits import DEFAULT_CAPS, Cap


def _codes(path: str, text: str, own: dict[str, Cap] | None = None) -> list[tuple[str, int]]:
    return [(flaw.code, flaw.line) for flaw in check_governance_file(path, text, own or {})]


@pytest.mark.parametrize("name", DEFAULT_CAPS)
def test_one_line_or_byte_over_the_cap_is_reported(name: str) -> None:
    cap = DEFAULT_CAPS[name]
    path = f"projects/p/{name}"
    full = "x\n" * cap.lines if cap.lines else "x" * cap.bytes
    assert ("over-cap", 1) not in _codes(path, full)
    assert ("over-cap", 1) in _codes(path, full + "x")


def test_caps_in_the_settings_replace_the_defaults() -> None:
    assert _codes("projects/p/STATUS.md", "## Next steps\nb\nc\n", {"STATUS.md": Cap(lines=2)}) == [
        ("over-cap", 1)
    ]
    assert (
        _codes(
            "projects/p/STATUS.md", "## Next steps\n" + "x\n" * 200, {"STATUS.md": Cap(lines=300)}
        )
        == []
    )


def test_other_files_have_no_cap() -> None:
    assert _codes("projects/p/notes.md", "x\n" * 9999) == []


def test_a_milestone_without_a_checklist_is_reported_at_its_line() -> None:
    text = (
        "# Roadmap\n\n## Phase 1\n\n### M1\n\n- [ ] a\n\n### M2\n\nsoon\n\n## Phase 2\n\n- [x] b\n"
    )
    assert _codes("projects/p/roadmap.md", text) == [("bare-milestone", 9)]
    assert _codes("notes/roadmap.md", text) == []
