"""Plan a change of status: of the atom, its successor, and the atoms that depend on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from cortexfs.core.atoms.lifecycle import (
    CAUTION_STATUSES,
    OVERTURNED_STATUSES,
    SUCCESSOR_STATUSES,
    TOMBSTONE_STATUS,
    IndexMdSection,
    ParsedStatus,
    parse_atom_status,
)
from cortexfs.core.atoms.refs import to_short_ref
from cortexfs.core.atoms.reviewed_field import REVIEWED_KEY, is_reviewed_since_change, merge_reviews
from cortexfs.core.changes.plan import Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.add_to_links_field import add_link
from cortexfs.core.status_change.allowed_status import (
    require_allowed_transition,
    require_valid_cause,
    require_valid_review,
)
from cortexfs.core.status_change.citing_lines import CitingFile, find_citing_lines, is_based_on
from cortexfs.core.status_change.impact_table import (
    CORRECTED,
    NEEDS_UPDATE,
    NO_IMPACT,
    ImpactRow,
    add_impact_rows,
)
from cortexfs.core.status_change.status_change import (
    FileChange,
    StatusChange,
    StatusChangePlan,
)
from cortexfs.core.status_change.tombstone import is_tombstone, make_tombstone
from cortexfs.errors import CortexError, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.atoms.kinds import Kinds

_LOG_PATH = re.compile(r"(?:.*/)?(?:tasks-archive\.md|(?:scans|retrospectives)/[^/]+)")


def plan_status_change(
    change: StatusChange,
    citing_files: Sequence[CitingFile],
    kinds: Kinds,
    uncommitted: frozenset[str],
) -> StatusChangePlan:
    """Plan a change of status; files in `uncommitted` are not changed, except the atom itself.

    Changes that were already made are not repeated, so marking again completes what was left out.
    Raises `Refused` for a change that the lifecycle does not allow.
    """
    if not change.is_already_set:
        require_allowed_transition(change.target.atom, change.status_word)
        require_valid_cause(
            change.target.atom, change.cause.atom if change.cause else None, change.status_word
        )
    require_valid_review(change.target.atom, change.reviewed, change.status_word)
    challenges = {
        each.path: _challenge(change, each)
        for each in citing_files
        if _must_be_challenged(change, each, kinds)
    }
    cause_change = _change_cause(change, citing_files, challenges, uncommitted)
    wanted = [_change_target(change), *challenges.values(), cause_change]
    changed = [each for each in wanted if each and each.write.text != each.write.expected_text]
    own = change.target.atom.path
    kept = tuple(c for c in changed if c.write.path == own or c.write.path not in uncommitted)
    reasons = {each.write.path: "it has uncommitted changes" for each in changed}
    reasons |= {p: "its frontmatter cannot be edited" for p in challenges if not challenges[p]}
    kept_paths = {each.write.path for each in kept}
    return StatusChangePlan(kept, {p: why for p, why in reasons.items() if p not in kept_paths})


def _change_target(change: StatusChange) -> FileChange:
    """Return the change of the marked atom: its status; an invalidated atom becomes a tombstone."""
    atom, text, _ = change.target
    if change.status_word == TOMBSTONE_STATUS and not is_tombstone(text):
        after = make_tombstone(
            text, atom.ref, change.new_status, change.date, _require_reason(change)
        )
        return FileChange(Write(atom.path, after, text), atom.ref, str(change.new_status))
    changes: dict[str, str | tuple[str, ...]] = {}
    if not change.is_already_set:
        changes["status"] = str(change.new_status)
    cited = [to_short_ref(ref, atom.project) for ref in dict.fromkeys(change.reviewed)]
    if cited:
        changes[REVIEWED_KEY] = merge_reviews(atom.list_field(REVIEWED_KEY), cited, change.date)
    what = [str(change.new_status), *([f"reviewed {', '.join(cited)}"] if cited else [])]
    return FileChange(
        Write(atom.path, atom_text.edit_frontmatter(text, changes), text), atom.ref, ", ".join(what)
    )


def _require_reason(change: StatusChange) -> str:
    """Return the reason of a tombstone; raises `Refused` if there is none."""
    reason = change.reason or (change.cause.atom.text_field("summary") if change.cause else "")
    if not reason:
        raise Refused("a tombstone needs a reason", hint="add --by REF or --reason TEXT")
    return reason


def _must_be_challenged(change: StatusChange, citing_file: CitingFile, kinds: Kinds) -> bool:
    """Return whether a citing atom has to be challenged: it is active and must have evidence."""
    atom = citing_file.atom
    if (
        change.status_word not in OVERTURNED_STATUSES
        or atom is None
        or _is_party(change, citing_file)
    ):
        return False
    if change.is_already_set and is_reviewed_since_change(
        atom, change.target.atom, change.find_atom
    ):
        return False  # it was challenged before, and reviewed
    kind = kinds.find_by_name(atom.kind)
    status = parse_atom_status(atom.text_field("status"))
    is_active = status.section is IndexMdSection.ACTIVE and status.word != "challenged"
    needs_evidence = kind is not None and kind.needs_evidence
    return needs_evidence and is_active and is_based_on(atom, change.target.atom.ref)


def _challenge(change: StatusChange, citing_file: CitingFile) -> FileChange | None:
    """Return the change that challenges an atom for its refuted evidence, or None.

    The cause is the atom that refuted it. None means that the text cannot be edited.
    """
    atom = citing_file.atom
    if atom is None:
        return None
    cause = change.cause_ref(atom.project) or to_short_ref(change.target.atom.ref, atom.project)
    status = str(ParsedStatus("challenged", cause))
    try:
        after = atom_text.edit_frontmatter(citing_file.text, {"status": status})
    except CortexError:
        return None
    return FileChange(Write(atom.path, after, citing_file.text), atom.ref, status)


def _change_cause(
    change: StatusChange,
    citing_files: Sequence[CitingFile],
    challenges: Mapping[str, FileChange | None],
    uncommitted: frozenset[str],
) -> FileChange | None:
    """Return the change of the causing atom: the link back, and its Downstream Impact section."""
    if change.cause is None:
        return None
    atom, text, kind = change.cause
    old = to_short_ref(change.target.atom.ref, atom.project)
    linked_text = add_link(text, old) if change.status_word in SUCCESSOR_STATUSES else text
    after = linked_text
    if change.status_word in OVERTURNED_STATUSES and kind.has_downstream_impact:
        planned = {
            path: challenge
            for path, challenge in challenges.items()
            if challenge and path not in uncommitted
        }
        rows = list(_make_impact_rows(change, citing_files, planned, old))
        no_impact = ImpactRow("—", NO_IMPACT, old, "nothing cites it")
        after = add_impact_rows(linked_text, rows or [no_impact], kind.sections)
    what = ["linked back"] if linked_text != text else []
    what += ["Downstream Impact"] if after != linked_text else []
    return FileChange(Write(atom.path, after, text), atom.ref, ", ".join(what))


def _make_impact_rows(
    change: StatusChange,
    citing_files: Sequence[CitingFile],
    challenges: Mapping[str, FileChange],
    old: str,
) -> Iterator[ImpactRow]:
    value = change.reason or "see above"
    if change.status_word == CORRECTED:
        yield ImpactRow(change.target.atom.ref, CORRECTED, f"{old} (itself)", value)
    for citing_file in citing_files:
        if _is_party(change, citing_file):
            continue
        challenge = challenges.get(citing_file.path)
        lines = citing_file.lines
        if challenge and citing_file.atom:  # its new status may have moved them
            lines = find_citing_lines(
                challenge.write.text, citing_file.atom.project, change.target.atom.ref
            )
        citation = f"{old} (line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))})"
        status, corrected_value = _assess_impact(
            citing_file, challenge.summary if challenge else value
        )
        file = (
            citing_file.atom.ref if citing_file.atom else quote(citing_file.path)
        )  # quoted, it is not read as a ref
        yield ImpactRow(file, status, citation, corrected_value)


def _assess_impact(citing_file: CitingFile, value: str) -> tuple[str, str]:
    """Return the impact on one file; atoms that are not current, and logs, need not change."""
    status = parse_atom_status(citing_file.atom.text_field("status") if citing_file.atom else "")
    if status.word in CAUTION_STATUSES:
        return NEEDS_UPDATE, str(status)
    if status.section is not IndexMdSection.ACTIVE:
        return NO_IMPACT, str(status)
    if _LOG_PATH.fullmatch(citing_file.path):
        return NO_IMPACT, "a log"
    return NEEDS_UPDATE, value


def _is_party(change: StatusChange, citing_file: CitingFile) -> bool:
    return citing_file.path in {
        change.target.atom.path,
        *({change.cause.atom.path} if change.cause else ()),
    }
