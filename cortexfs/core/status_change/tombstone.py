"""Turn a refuted atom into a tombstone, and restore an atom from a tombstone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.markdown.lines import detect_line_ending
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.atoms.lifecycle import AtomStatus

DATE, REASON = "invalidated-date", "invalidated-reason"


def is_tombstone(text: str) -> bool:
    """Return whether a text is the tombstone of an invalidated atom."""
    return DATE in atom_text.parse_frontmatter(text).fields


def make_tombstone(text: str, ref: Ref, status: AtomStatus, date: str, reason: str) -> str:
    """Return the frontmatter with date and reason, and a warning in place of the body.

    Raises what `atom_text.edit` raises.
    """
    reason = to_one_line(reason)
    edited = atom_text.edit_frontmatter(text, {"status": str(status), DATE: date, REASON: reason})
    by = f" by {status.cause}" if status.cause else ""
    end = detect_line_ending(text)
    said = (
        f"> **Invalidated on {date}{by}. Do not use what this said.**",
        ">",
        f"> {reason}",
        ">",
        f"> The old text is in git: `cortexfs restore {ref}` brings it back.",
    )
    return f"{atom_text.split_front_and_body(edited)[0]}{end}{end.join(said)}{end}"


def restore_from_tombstone(present: str, before: str, oldest_tombstone: str) -> str:
    """Return the text that an atom had before it became a tombstone.

    `before` is that text, `present` the current tombstone, and `oldest_tombstone` the tombstone's
    oldest text.
    Later changes of the tombstone's frontmatter are kept. Raises what `atom_text.edit` raises.
    """
    head, body = atom_text.split_front_and_body(before)
    if (
        not head
        or atom_text.split_front_and_body(present)[0]
        == atom_text.split_front_and_body(oldest_tombstone)[0]
    ):
        return before
    status = atom_text.parse_frontmatter(before).fields.get("status")
    kept = status if isinstance(status, str) else None
    return (
        atom_text.split_front_and_body(
            atom_text.edit_frontmatter(present, {"status": kept, DATE: None, REASON: None})
        )[0]
        + body
    )
