"""Check that an accepted decision is unchanged, except for its status and links."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import EDITABLE_DECISION_STATUSES, parse_atom_status
from cortexfs.core.decisions import legacy_format
from cortexfs.core.frontmatter import atom_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue

EDITABLE_FIELDS = frozenset(
    (
        "id",
        "project",
        "tags",
        "status",
        "links",
        "supersedes",
        "superseded-by",
        "refs",
        "last-ref",
        "reviewed",
    )
)
"""Fields that may change after acceptance: they are not the content of a decision."""

_CHECKSUM = re.compile(r"(:\d{1,6}(?:-\d{1,6})?)#[0-9a-f]{6}\b")


class DecisionVersion(NamedTuple):
    """The text of a decision after a commit."""

    commit: str
    text: str


def find_accepted_version(versions: Iterable[DecisionVersion]) -> DecisionVersion | None:
    """Return the version in which a decision was accepted; None while it is open.

    `versions` begin with the oldest. A decision that is reopened may be edited; its next
    acceptance counts.
    """
    held: DecisionVersion | None = None
    for version in versions:
        word = parse_decision_status(version.text)
        if word in EDITABLE_DECISION_STATUSES:
            held = None
        elif word == "accepted":
            held = held or version
    return held


def parse_decision_status(text: str) -> str:
    """Return the word of a decision's status."""
    said = _parse_fields(text).get("status", "")
    return parse_atom_status(said if isinstance(said, str) else "").word


def find_changed_line(accepted: str, current: str) -> int | None:
    """Return the first changed line of a decision (from 1); None if it is unchanged.

    Checksums of citations, line ends, blank lines and the amount of white space do not count. A
    changed field gives line 1.
    """
    if _get_protected_fields(accepted) != _get_protected_fields(current):
        return 1
    before, after = _list_body_lines(accepted), _list_body_lines(current)
    pairs = zip_longest((said for _, said in before), (said for _, said in after))
    at = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
    if at is None:
        return None
    return after[at][0] if at < len(after) else current.count("\n") or 1


def _parse_fields(text: str) -> Mapping[str, FrontmatterValue]:
    return legacy_format.parse_legacy_decision(text) or atom_text.parse_frontmatter(text).fields


def _get_protected_fields(text: str) -> dict[str, FrontmatterValue]:
    return {key: value for key, value in _parse_fields(text).items() if key not in EDITABLE_FIELDS}


def _list_body_lines(text: str) -> list[tuple[int, str]]:
    """Return the non-blank lines of the body, each with its line number in the text."""
    above = (
        legacy_format.get_legacy_head(text)
        if legacy_format.parse_legacy_decision(text) is not None
        else atom_text.split_front_and_body(text)[0]
    )
    first = above.count("\n") + 1
    lines = _CHECKSUM.sub(r"\1", text[len(above) :]).split("\n")
    return [(at, " ".join(line.split())) for at, line in enumerate(lines, first) if line.strip()]
