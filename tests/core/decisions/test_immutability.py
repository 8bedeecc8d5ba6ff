"""An accepted decision may change its status, and nothing of its content."""

from __future__ import annotations

import pytest

from cortexfs.core.decisions.immutability import (
    DecisionVersion,
    find_accepted_version,
    find_changed_line,
    is_renaming_commit,
)

TEXT = """---
id: DR-0001
date: 2026-05-01
summary: Use git
tags: [a]
status: accepted
evidence: [EXP-001]
links: []
---

# Use git

## Decision

Git, as src/store.py:42 does.
"""
OLDER = "# DR-0001: Use git\n\nDate: 2026-05-01\nStatus: accepted\n\n## Decision\n\nGit.\n"
ALLOWED = {
    "status": ("status: accepted", "status: superseded:DR-0002"),
    "links": ("links: []", "links: [DR-0002]"),
    "a look": ("links: []", "links: []\nrefs: 3\nlast-ref: 2026-05-02T00:00:00Z"),
    "supersedes": ("links: []", "links: []\nsupersedes: [DR-0000]"),
    "tags": ("[a]", "[a, b]"),
    "a move": ("id: DR-0001", "id: DR-0004\nproject: p"),
    "a sum": ("store.py:42", "store.py:42#9f3a1c"),
    "line ends": ("\n", "\r\n"),
    "white space": ("\n## Decision\n", "\n\n\n##  Decision  \n\n"),
}
FORBIDDEN = {
    "summary": ("summary: Use git", "summary: Use a server", 1),
    "date": ("05-01", "05-02", 1),
    "evidence": ("[EXP-001]", "[EXP-002]", 1),
    "a field of its own": ("links:", "owner: ada\nlinks:", 1),
    "a word": ("Git, as", "A server, as", 15),
    "a line more": ("does.\n", "does.\n\nPerhaps.\n", 17),
    "a line less": ("Git, as src/store.py:42 does.\n", "", 14),
    "a title": ("# Use git", "# Use git, please", 11),
}


@pytest.mark.parametrize("what", ALLOWED)
def test_status_and_links_of_an_accepted_decision_may_change(what: str) -> None:
    assert find_changed_line(TEXT, TEXT.replace(*ALLOWED[what])) is None


@pytest.mark.parametrize("what", FORBIDDEN)
def test_the_content_of_an_accepted_decision_may_not_change(what: str) -> None:
    before, after, line = FORBIDDEN[what]
    edited = TEXT.replace(before, after)
    assert edited != TEXT
    assert find_changed_line(TEXT, edited) == line


def test_lines_of_a_legacy_decision_count_as_its_frontmatter() -> None:
    superseded = OLDER.replace("accepted", "superseded:DR-0002\nSupersedes: DR-0000")
    assert find_changed_line(OLDER, superseded) is None
    assert find_changed_line(OLDER, OLDER.replace("Git.", "Git!")) == 8
    assert find_changed_line(OLDER, OLDER.replace("Date: 2026-05-01", "Date: 2026-05-09")) == 1


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ([], None),
        (["proposed"], None),
        (["accepted"], 0),
        (["proposed", "accepted", "accepted"], 1),
        (["proposed", "accepted", "superseded:DR-0002", "superseded:DR-0003"], 1),
        (["accepted", "rejected"], None),
        (["accepted", "proposed", "Accepted"], 2),
        (["superseded:DR-0002"], None),
    ],
)
def test_a_decision_is_immutable_since_it_was_last_accepted(
    statuses: list[str], expected: int | None
) -> None:
    texts = (TEXT.replace("status: accepted", f"status: {status}") for status in statuses)
    versions = [DecisionVersion(str(at), text) for at, text in enumerate(texts)]
    found = find_accepted_version(versions)
    assert (int(found.commit) if found else None) == expected


RENAMED = TEXT.replace("EXP-001", "mill/EXP-007")


@pytest.mark.parametrize(
    ("subject", "after", "counts"),
    [
        ("rename p/EXP-001 to p/EXP-007", RENAMED, False),
        ("undo: move p/EXP-001 to mill/EXP-007", RENAMED, False),
        ("rename project p to mill", RENAMED, False),
        ("better evidence", RENAMED, True),
        ("rename p/EXP-001 to p/EXP-007", RENAMED.replace("Git, as", "A server, as"), True),
        ("rename p/EXP-001 to p/EXP-007", RENAMED.replace("05-01", "05-02"), True),
    ],
)
def test_only_the_names_that_a_renaming_changed_do_not_count(
    subject: str, after: str, counts: bool
) -> None:
    is_renaming = is_renaming_commit(subject)
    versions = [DecisionVersion("a", TEXT), DecisionVersion("b", after, is_renaming)]
    found = find_accepted_version(versions)
    assert found is not None
    assert found.commit == "a"
    assert (find_changed_line(found.text, after) is not None) == counts


def test_a_renaming_does_not_hide_an_earlier_edit() -> None:
    edited = TEXT.replace("Git, as", "A server, as")
    renamed = edited.replace("EXP-001", "EXP-007")
    versions = [
        DecisionVersion("a", TEXT),
        DecisionVersion("b", edited),
        DecisionVersion("c", renamed, is_renaming=True),
    ]
    found = find_accepted_version(versions)
    assert found is not None
    assert find_changed_line(found.text, renamed) is not None
