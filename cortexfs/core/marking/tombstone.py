"""Turn an atom that was shown to be wrong into a tombstone, and a tombstone back into an atom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core import codec
from cortexfs.core.clean import one_line
from cortexfs.core.markdown.lines import newline

if TYPE_CHECKING:
    from cortexfs.core.atom import Ref
    from cortexfs.core.lifecycle import Status

DATE, REASON = "invalidated-date", "invalidated-reason"


def is_tombstone(text: str) -> bool:
    """Tell whether a text is what stays of an invalidated atom."""
    return DATE in codec.parse(text).fields


def entomb(text: str, ref: Ref, status: Status, date: str, reason: str) -> str:
    """Keep the frontmatter, with date and reason; put a warning in the place of the body.

    Raises what `codec.edit` raises.
    """
    reason = one_line(reason)
    edited = codec.edit(text, {"status": str(status), DATE: date, REASON: reason})
    by = f" by {status.cause}" if status.cause else ""
    end = newline(text)
    said = (
        f"> **Invalidated on {date}{by}. Do not use what this said.**",
        ">",
        f"> {reason}",
        ">",
        f"> The old text is in git: `cortexfs restore {ref}` brings it back.",
    )
    return f"{codec.parted(edited)[0]}{end}{end.join(said)}{end}"


def revive(present: str, before: str, first: str) -> str:
    """Give what an atom said `before` it became a tombstone, of which `first` is the oldest text.

    What has been written into the frontmatter of the tombstone since then is kept. Raises what
    `codec.edit` raises.
    """
    head, body = codec.parted(before)
    if not head or codec.parted(present)[0] == codec.parted(first)[0]:
        return before
    status = codec.parse(before).fields.get("status")
    kept = status if isinstance(status, str) else None
    return codec.parted(codec.edit(present, {"status": kept, DATE: None, REASON: None}))[0] + body
