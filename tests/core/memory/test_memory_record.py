"""A memory is read from its file, whatever a person wrote into it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.core.memory.memory_record import (
    MemoryRecord,
    number_from_id,
    parse_memory_record,
    parse_prompt_record,
    parse_session_record,
)
from cortexfs.core.memory.relations import Relation

PATH = "projects/flywheel/observations/OBS-117.md"
WHOLE = """---
id: OBS-117
date: 2026-05-06
project: flywheel
summary: JWT auth middleware
tags: [auth, decision]
type: decision
scope: personal
topic-key: architecture/auth-model
session: s-1
tool: mcp-passive
revision: 3
duplicates: 2
created: 2026-05-06T10:00:00Z
last-seen: 2026-05-07T09:00:00Z
relations: [supersedes OBS-101, relates_to flywheel/OBS-9 0.5, causes OBS-1]
deleted-at: 2026-05-08T00:00:00Z
origin: engram:41
---

# OBS-117: JWT auth middleware

**What**: cookies

## Why

Safer
"""


def _parse(text: str, path: str = PATH) -> MemoryRecord:
    place = parse_atom_path(path, Kinds())
    assert place is not None
    return parse_memory_record(parse_atom(path, place, text), split_front_and_body(text)[1])


def test_every_field_of_a_memory_is_read() -> None:
    assert _parse(WHOLE) == MemoryRecord(
        number=117,
        ref="flywheel/OBS-117",
        path=PATH,
        title="JWT auth middleware",
        type="decision",
        content="**What**: cookies\n\n## Why\n\nSafer",
        project="flywheel",
        scope="personal",
        topic_key="architecture/auth-model",
        session_id="s-1",
        tool="mcp-passive",
        tags=("auth", "decision"),
        revision=3,
        duplicates=2,
        created="2026-05-06T10:00:00Z",
        last_seen="2026-05-07T09:00:00Z",
        updated="2026-05-07T09:00:00Z",
        deleted_at="2026-05-08T00:00:00Z",
        relations=(
            Relation("supersedes", "OBS-101", 1.0),
            Relation("relates_to", "flywheel/OBS-9", 0.5),
        ),
        origin="engram:41",
    )


def test_an_observation_written_by_hand_has_defaults() -> None:
    found = _parse("---\nid: OBS-117\ndate: 2026-05-06\nsummary: s\ntags: []\n---\nWords\n")
    assert (found.type, found.scope, found.revision, found.duplicates) == (
        "manual",
        "project",
        1,
        0,
    )
    assert (found.created, found.updated) == ("2026-05-06T00:00:00Z",) * 2
    assert (found.content, found.relations, found.deleted_at) == ("Words", (), "")


@pytest.mark.parametrize("value", ["many", "-4", "1e9", "[1]", "{a: b}", "9" * 5000])
def test_an_invalid_count_is_the_default(value: str) -> None:
    text = WHOLE.replace("revision: 3", f"revision: {value}")
    found = _parse(text.replace("duplicates: 2", f"duplicates: {value}"))
    assert (found.revision, found.duplicates) == (1, 0)


@pytest.mark.parametrize(
    ("body", "content"),
    [
        ("# OBS-117: title\n\nText", "Text"),
        ("# OBS-117\nText", "Text"),
        ("# OBS-117: title", ""),
        ("# OBS-1170: another\n\nText", "# OBS-1170: another\n\nText"),
        ("# My title\n\nText", "# My title\n\nText"),
        ("Text\n\n# OBS-117: later", "Text\n\n# OBS-117: later"),
    ],
)
def test_the_content_is_the_body_without_the_title_that_repeats_the_id(
    body: str, content: str
) -> None:
    front = split_front_and_body(WHOLE)[0]
    assert _parse(f"{front}\n{body}\n").content == content


@pytest.mark.parametrize(
    ("ident", "number"),
    [
        ("OBS-117", 117),
        ("OBS-007", 7),
        ("PRM-0012", 12),
        ("EXP-042a", 42),
        ("117", 0),
        ("OBS-", 0),
        ("OBS-\uff11", 0),
        ("OBS-" + "9" * 5000, 0),
        ("", 0),
    ],
)
def test_the_number_is_that_of_the_id(ident: str, number: int) -> None:
    assert number_from_id(ident) == number


def test_a_session_is_read_with_its_summary() -> None:
    path = "projects/flywheel/sessions/SES-004.md"
    text = (
        "---\nid: SES-004\ndate: 2026-05-06\nproject: flywheel\nsummary: s\ntags: []\n"
        "status: ended\nsession: 5f1c\ndirectory: /src\ncreated: 2026-05-06T10:00:00Z\n"
        "ended: 2026-05-06T11:00:00Z\n---\n\n# SES-004: s\n\nDone\n"
    )
    place = parse_atom_path(path, Kinds())
    assert place is not None
    found = parse_session_record(parse_atom(path, place, text), split_front_and_body(text)[1], 7)
    assert found == (
        *("5f1c", "flywheel/SES-004", "flywheel", "/src", "ended"),
        *("2026-05-06T10:00:00Z", "2026-05-06T11:00:00Z", "Done", 7),
    )


def test_a_prompt_is_read_with_its_text() -> None:
    path = "projects/flywheel/prompts/PRM-0012.md"
    text = (
        "---\nid: PRM-0012\ndate: 2026-05-06\nproject: flywheel\nsummary: s\ntags: []\n"
        "session: 5f1c\n---\nFix it,\n\nplease\n"
    )
    place = parse_atom_path(path, Kinds())
    assert place is not None
    found = parse_prompt_record(parse_atom(path, place, text), split_front_and_body(text)[1])
    assert found == (
        *(12, "flywheel/PRM-0012", "Fix it,\n\nplease", "5f1c", "flywheel"),
        "2026-05-06T00:00:00Z",
    )


@given(st.text(), st.text())
def test_any_text_is_a_memory(fields: str, body: str) -> None:
    assert _parse(f"---\n{fields}\n---\n{body}").path == PATH


def test_hostile_text_takes_linear_time() -> None:
    began = time.process_time()
    front = split_front_and_body(WHOLE)[0]
    for piece in ("# ", "\n", "# OBS-117: a\n", "<!--"):
        _parse(f"{front}# OBS-117: {piece * (500_000 // len(piece))}")
    assert time.process_time() - began < 4
