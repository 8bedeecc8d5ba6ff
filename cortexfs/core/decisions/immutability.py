"""Whether a decision says what it said when it was accepted: only its standing may change."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import EDITABLE_DECISION_STATUSES, parse_status
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
"""Fields that say where a decision stands, and not what it says."""

_SUM = re.compile(r"(:\d{1,6}(?:-\d{1,6})?)#[0-9a-f]{6}\b")


class DecisionVersion(NamedTuple):
    """What a decision said after a commit."""

    commit: str
    text: str


def find_accepted_version(versions: Iterable[DecisionVersion]) -> DecisionVersion | None:
    """Give the version in which a decision was accepted; None while it is open.

    `versions` begin with the oldest. One that is opened again may be edited, and counts from
    when it is accepted the next time.
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
    """Give the word of a decision's status."""
    said = _fields(text).get("status", "")
    return parse_status(said if isinstance(said, str) else "").word


def find_changed_line(then: str, now: str) -> int | None:
    """Give the line at which a decision no longer says what it said; None where it does.

    The sums of cited lines, line ends, and white space around lines and body do not count.
    """
    if _said(then) != _said(now):
        return 1
    before, after = _lines(then), _lines(now)
    pairs = zip_longest((said for _, said in before), (said for _, said in after))
    at = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
    if at is None:
        return None
    return after[at][0] if at < len(after) else now.count("\n") or 1


def _fields(text: str) -> Mapping[str, FrontmatterValue]:
    return legacy_format.parse_legacy_decision(text) or atom_text.parse_text(text).fields


def _said(text: str) -> dict[str, FrontmatterValue]:
    return {key: value for key, value in _fields(text).items() if key not in EDITABLE_FIELDS}


def _lines(text: str) -> list[tuple[int, str]]:
    """Give the lines of the body that are not blank, each with its number in the text."""
    above = (
        legacy_format.get_legacy_head(text)
        if legacy_format.parse_legacy_decision(text) is not None
        else atom_text.split_front_and_body(text)[0]
    )
    first = above.count("\n") + 1
    lines = _SUM.sub(r"\1", text[len(above) :]).split("\n")
    return [(at, " ".join(line.split())) for at, line in enumerate(lines, first) if line.strip()]
