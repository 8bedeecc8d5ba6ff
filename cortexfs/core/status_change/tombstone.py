"""Turn a refuted atom into a tombstone, and restore an atom from a tombstone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.markdown.lines import detect_line_ending
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.atoms.lifecycle import ParsedStatus

DATE_KEY, REASON_KEY = "invalidated-date", "invalidated-reason"


def is_tombstone(text: str) -> bool:
    """Return whether a text is the tombstone of an invalidated atom."""
    return DATE_KEY in atom_text.parse_frontmatter(text).fields


def make_tombstone(text: str, ref: Ref, status: ParsedStatus, date: str, reason: str) -> str:
    """Return the frontmatter with date and reason, and a warning in place of the body.

    Raises what `edit_frontmatter` raises.
    """
    reason = to_one_line(reason)
    edited = atom_text.edit_frontmatter(
        text, {"status": str(status), DATE_KEY: date, REASON_KEY: reason}
    )
    cause_words = f" by {status.cause}" if status.cause else ""
    end = detect_line_ending(text)
    lines = (
        f"> **Invalidated on {date}{cause_words}. Do not use what this said.**",
        ">",
        f"> {reason}",
        ">",
        f"> The old text is in git: `cortexfs restore {ref}` brings it back.",
    )
    return f"{atom_text.split_front_and_body(edited)[0]}{end}{end.join(lines)}{end}"


def restore_from_tombstone(present: str, before: str, oldest_tombstone: str) -> str:
    """Return the text that an atom had before it became a tombstone.

    `before` is that text, `present` the current tombstone, and `oldest_tombstone` its oldest text.
    Later changes of the tombstone's frontmatter are kept. Raises what `edit_frontmatter` raises.
    """
    head, body = atom_text.split_front_and_body(before)
    heads = [atom_text.split_front_and_body(text)[0] for text in (present, oldest_tombstone)]
    if not head or heads[0] == heads[1]:
        return before
    status = atom_text.parse_frontmatter(before).fields.get("status")
    old_status = status if isinstance(status, str) else None
    changes = {"status": old_status, DATE_KEY: None, REASON_KEY: None}
    edited = atom_text.edit_frontmatter(present, changes)
    return atom_text.split_front_and_body(edited)[0] + body
