"""Turn an atom that was shown to be wrong into a tombstone, and a tombstone back into an atom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.frontmatter import atom_text
from cortexfs.core.markdown.lines import newline
from cortexfs.core.text.sanitize import one_line

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.atoms.lifecycle import Status

DATE, REASON = "invalidated-date", "invalidated-reason"


def is_tombstone(text: str) -> bool:
    """Tell whether a text is what stays of an invalidated atom."""
    return DATE in atom_text.parse(text).fields


def entomb(text: str, ref: Ref, status: Status, date: str, reason: str) -> str:
    """Keep the frontmatter, with date and reason; put a warning in the place of the body.

    Raises what `codec.edit` raises.
    """
    reason = one_line(reason)
    edited = atom_text.edit(text, {"status": str(status), DATE: date, REASON: reason})
    by = f" by {status.cause}" if status.cause else ""
    end = newline(text)
    said = (
        f"> **Invalidated on {date}{by}. Do not use what this said.**",
        ">",
        f"> {reason}",
        ">",
        f"> The old text is in git: `cortexfs restore {ref}` brings it back.",
    )
    return f"{atom_text.parted(edited)[0]}{end}{end.join(said)}{end}"


def revive(present: str, before: str, first: str) -> str:
    """Give what an atom said `before` it became a tombstone, of which `first` is the oldest text.

    What has been written into the frontmatter of the tombstone since then is kept. Raises what
    `codec.edit` raises.
    """
    head, body = atom_text.parted(before)
    if not head or atom_text.parted(present)[0] == atom_text.parted(first)[0]:
        return before
    status = atom_text.parse(before).fields.get("status")
    kept = status if isinstance(status, str) else None
    return (
        atom_text.parted(atom_text.edit(present, {"status": kept, DATE: None, REASON: None}))[0]
        + body
    )
