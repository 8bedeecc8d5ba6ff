"""An import remembers the text of an atom, and not what commands rewrite in it."""

from __future__ import annotations

import pytest

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.importing.imported_hash import (
    CHECKSUM_KEY,
    blank_refs,
    compute_atom_hash,
    has_edited_text,
    merge_tree_fields,
    parse_imported_hash,
)

BODY = "See [[K-002|Ada]] and [b](K-003.md).\n"
FIELDS = "id: K-001\nproject: p\nx: 1\nstatus: active\ntags: [a, b]\n"


def make_atom(fields: str, body: str) -> str:
    parsed = atom_text.parse_frontmatter(f"---\n{FIELDS}---\n{BODY}")
    remembered = compute_atom_hash("0" * 16, parsed.fields, parsed.body)
    return f"---\n{fields}{CHECKSUM_KEY}: {remembered}\n---\n{body}"


def is_edited(text: str) -> bool:
    value = atom_text.parse_frontmatter(text).fields[CHECKSUM_KEY]
    return has_edited_text(parse_imported_hash(value), text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("id: K-001", "id: K-017"),
        ("project: p", "project: other"),
        ("status: active", "status: challenged:EXP-009"),
        ("tags: [a, b]", "tags: [c]\nrefs: 3\nlast-ref: 2026-05-06"),
        ("x: 1", "x: '1'\nreviewed: [EXP-014 2026-05-06]\nlinks: [K-004]"),
    ],
)
def test_fields_that_commands_write_are_no_edit(old: str, new: str) -> None:
    assert not is_edited(make_atom(FIELDS.replace(old, new), BODY))


def test_renamed_refs_are_no_edit() -> None:
    body = BODY.replace("K-002", "other/K-022").replace("K-003.md", "../../o/knowledge/K-3333.md")
    assert not is_edited(make_atom(FIELDS, body))


@pytest.mark.parametrize(("old", "new"), [("Ada", "Bob"), ("See", "K-009 See"), ("\n", "\n\n")])
def test_another_text_is_an_edit(old: str, new: str) -> None:
    assert is_edited(make_atom(FIELDS, BODY.replace(old, new)))


def test_another_value_of_a_field_is_an_edit() -> None:
    assert is_edited(make_atom(FIELDS.replace("x: 1", "x: 2"), BODY))


def test_an_update_takes_the_fields_of_the_note_unless_the_tree_changed_them() -> None:
    atom = make_atom(FIELDS.replace("[a, b]", "[c]") + "reviewed: [K-009 2026-05-06]\n", BODY)
    merged = merge_tree_fields({"id": "K-001", "status": "stale", "tags": ("a", "d")}, atom)
    assert merged == {
        "id": "K-001",
        "status": "stale",
        "tags": ("c",),
        "reviewed": ("K-009 2026-05-06",),
    }


def test_blanked_refs_need_linear_time() -> None:
    assert blank_refs("a/" * 1_000_000 + "K-001") == "a/" * (1_000_000 - 150) + "REF"
    assert blank_refs("K-1 xK-001 K-001-b K-001") == "K-1 xK-001 K-001-b REF"
