"""An invalidated atom keeps its frontmatter and says where its body is; it can come back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.atoms.lifecycle import ParsedStatus
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.tombstone import (
    is_tombstone,
    make_tombstone,
    restore_from_tombstone,
)

REF = Ref("p/EXP-005")
STATUS = ParsedStatus("invalidated", "EXP-009")
TEXT = """---
id: EXP-005 # five
status:   'valid'
tags:
  - a  # why
---

# Old words

With a table.
"""


def _make_tombstone(text: str) -> str:
    return make_tombstone(text, REF, STATUS, "2026-05-06", "The sets  could\nnot show it")


def test_a_tombstone_keeps_the_frontmatter_and_adds_three_fields() -> None:
    assert (
        _make_tombstone(TEXT)
        == """---
id: EXP-005 # five
status:   'invalidated:EXP-009'
tags:
  - a  # why
invalidated-date: 2026-05-06
invalidated-reason: The sets could not show it
---

> **Invalidated on 2026-05-06 by EXP-009. Do not use what this said.**
>
> The sets could not show it
>
> The old text is in git: `cortexfs restore p/EXP-005` brings it back.
"""
    )


def test_a_tombstone_without_a_cause_names_none() -> None:
    tombstone = make_tombstone(TEXT, REF, ParsedStatus("invalidated"), "2026-05-06", "withdrawn")
    assert "status:   'invalidated'\n" in tombstone
    assert "> **Invalidated on 2026-05-06. Do not" in tombstone


def test_a_tombstone_keeps_the_line_endings() -> None:
    tombstone = _make_tombstone(TEXT.replace("\n", "\r\n"))
    assert tombstone.count("\n") == tombstone.count("\r\n")


statuses = st.sampled_from(
    [
        *("", "status: valid\n", "status: >\n  valid\n", "status: # none yet\n"),
        *('status: "superseded: EXP-002"  # so\n', "status: invalidated: EXP-009\n"),
    ]
)
bodies = st.text(st.characters(codec="utf-8", exclude_characters="\r"))


@given(statuses, bodies, st.booleans())
def test_an_unchanged_tombstone_is_restored_byte_for_byte(
    status: str, body: str, is_last: bool
) -> None:
    entries = f"{status}id: EXP-005\n" if is_last else f"id: EXP-005\n{status}"
    text = f"---\n{entries}---\n{body}"
    tomb = _make_tombstone(text)
    assert not is_tombstone(text)
    assert is_tombstone(tomb)
    assert restore_from_tombstone(tomb, text, tomb) == text
    assert (
        restore_from_tombstone(tomb.replace("> The sets", "> Indeed the sets"), text, tomb) == text
    )


@pytest.mark.parametrize("status", ["status:   'valid'\n", ""])
def test_later_changes_of_its_frontmatter_survive_a_restore(status: str) -> None:
    text = TEXT.replace("status:   'valid'\n", status)
    tomb = _make_tombstone(text)
    edited = atom_text.edit_frontmatter(tomb, {"refs": "7", "links": ["EXP-009"]})
    assert restore_from_tombstone(edited, text, tomb) == atom_text.edit_frontmatter(
        text, {"refs": "7", "links": ["EXP-009"]}
    )
