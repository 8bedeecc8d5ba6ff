"""Find what a hand edit removes from an atom: its status, an open challenge, or its date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.lifecycle import CHALLENGED, VERDICT_STATUSES, parse_atom_status
from cortexfs.core.atoms.refs import to_full_ref
from cortexfs.core.atoms.reviewed_field import list_reviews

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.atoms.atom import Atom


def find_removed_fields(before: Atom, after: Atom) -> Iterator[Flaw]:
    """Yield what an atom had in the last commit and lacks now, each as a flaw at its line.

    `cortexfs mark` ends a challenge with a verdict and a review; a verdict alone removes it.
    """
    for key in ("status", "date"):
        value = before.text_field(key).strip()
        if value and not after.text_field(key).strip():
            yield Flaw("removed-field", f"`{key}` was {value} in the last commit")
    if after.text_field("status").strip() and _is_challenge_removed(before, after):
        status = before.text_field("status").strip()
        message = f"`status` was {status} in the last commit: no review ends the challenge"
        yield Flaw("removed-field", message, after.field_lines.get("status", 1))


def _is_challenge_removed(before: Atom, after: Atom) -> bool:
    old = parse_atom_status(before.text_field("status"))
    new = parse_atom_status(after.text_field("status"))
    if old.word != CHALLENGED or new.word not in VERDICT_STATUSES:
        return False
    cause = to_full_ref(old.cause, before.project)
    return all(to_full_ref(each.cited, after.project) != cause for each in list_reviews(after))
