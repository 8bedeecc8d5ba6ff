"""Turn an atom that was shown to be wrong into a tombstone, and a tombstone back into an atom."""

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
    """Tell whether a text is what stays of an invalidated atom."""
    return DATE in atom_text.parse_text(text).fields


def make_tombstone(text: str, ref: Ref, status: AtomStatus, date: str, reason: str) -> str:
    """Keep the frontmatter, with date and reason; put a warning in the place of the body.

    Raises what `codec.edit` raises.
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
    """Give what an atom said `before` it became a tombstone, of which `first` is the oldest text.

    What has been written into the frontmatter of the tombstone since then is kept. Raises what
    `codec.edit` raises.
    """
    head, body = atom_text.split_front_and_body(before)
    if (
        not head
        or atom_text.split_front_and_body(present)[0]
        == atom_text.split_front_and_body(oldest_tombstone)[0]
    ):
        return before
    status = atom_text.parse_text(before).fields.get("status")
    kept = status if isinstance(status, str) else None
    return (
        atom_text.split_front_and_body(
            atom_text.edit_frontmatter(present, {"status": kept, DATE: None, REASON: None})
        )[0]
        + body
    )
