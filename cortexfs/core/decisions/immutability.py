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


_RENAMING = re.compile(r"(?:(?:un|re)do: )*(?:rename|move|renumber) (?:project )?\S+ to \S+")
"""The subject of a commit that renames an atom or a project."""
_NAME = re.compile(
    r"(?<![\w./-])(?:(?:[\w.-]{1,100}/){1,20}(?:[\w.-]{0,100}\w)?"
    r"|[A-Z]{1,8}-[0-9]{3,}[a-z]?(?:\.md)?(?![\w-]))"
    r"|(?<=\[\[)[^\[\]\n]{1,200}(?=\]\])"
)
"""A path, a ref or a wiki link."""


class DecisionVersion(NamedTuple):
    """The text of a decision after a commit; `is_renaming` if the commit renamed something."""

    commit: str
    text: str
    is_renaming: bool = False


def is_renaming_commit(subject: str) -> bool:
    """Return whether a commit with this subject renames an atom or a project."""
    return _RENAMING.fullmatch(subject) is not None


def find_accepted_version(versions: Iterable[DecisionVersion]) -> DecisionVersion | None:
    """Return the version in which a decision was accepted; None while it is open.

    `versions` begin with the oldest. A decision that is reopened may be edited; its next
    acceptance counts. Names that a renaming changed later are those after the renaming.
    """
    accepted: DecisionVersion | None = None
    previous = ""
    for version in versions:
        word = parse_decision_status(version.text)
        if word in EDITABLE_DECISION_STATUSES:
            accepted = None
        elif accepted and version.is_renaming:
            accepted = _rename_in(accepted, previous, version.text)
        elif word == "accepted":
            accepted = accepted or version
        previous = version.text
    return accepted


def _rename_in(accepted: DecisionVersion, before: str, after: str) -> DecisionVersion:
    """Return the accepted version with the names after a renaming; unchanged after an edit."""
    was_edited = find_changed_line(accepted.text, before) is not None
    masked = (_NAME.sub("REF-000", text) for text in (before, after))
    if was_edited or find_changed_line(*masked) is not None:
        return accepted
    return accepted._replace(text=after)


def parse_decision_status(text: str) -> str:
    """Return the word of a decision's status."""
    status = _parse_fields(text).get("status", "")
    return parse_atom_status(status if isinstance(status, str) else "").word


def find_changed_line(accepted: str, current: str) -> int | None:
    """Return the first changed line of a decision (from 1); None if it is unchanged.

    Checksums of citations, line ends, blank lines and the amount of white space do not count. A
    changed field gives line 1.
    """
    if _get_protected_fields(accepted) != _get_protected_fields(current):
        return 1
    before, after = _list_body_lines(accepted), _list_body_lines(current)
    pairs = zip_longest((line for _, line in before), (line for _, line in after))
    changed = next((at for at, (old, new) in enumerate(pairs) if old != new), None)
    if changed is None:
        return None
    return after[changed][0] if changed < len(after) else current.count("\n") or 1


def _parse_fields(text: str) -> Mapping[str, FrontmatterValue]:
    return legacy_format.parse_legacy_decision(text) or atom_text.parse_frontmatter(text).fields


def _get_protected_fields(text: str) -> dict[str, FrontmatterValue]:
    return {key: value for key, value in _parse_fields(text).items() if key not in EDITABLE_FIELDS}


def _list_body_lines(text: str) -> list[tuple[int, str]]:
    """Return the non-blank lines of the body, each with its line number in the text."""
    head = (
        legacy_format.get_legacy_head(text)
        if legacy_format.parse_legacy_decision(text) is not None
        else atom_text.split_front_and_body(text)[0]
    )
    first = head.count("\n") + 1
    lines = _CHECKSUM.sub(r"\1", text[len(head) :]).split("\n")
    return [(n, " ".join(line.split())) for n, line in enumerate(lines, first) if line.strip()]
