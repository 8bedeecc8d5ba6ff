"""Change what an atom says: its whole text, its body, single fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw, parse_string_list
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.text.sanitize import strip_unprintable, to_one_line
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.kinds import Kind

    Value = str | tuple[str, ...] | None

LIST_FIELDS = frozenset({"evidence", "source-experiments", "links", "supersedes", "tags"})
"""Fields that hold several words."""
COMMANDS_BY_FIELD = {
    "id": "`cortexfs rename REF NEW-ID`",
    "project": "`cortexfs move REF PROJECT`",
    "status": "`cortexfs mark REF STATUS`",
}
"""Fields that other things follow from, and the command that sees to these."""


@dataclass(frozen=True, slots=True)
class AtomEdit:
    """What is to be changed: `text` in place of the body, or of all where it has frontmatter.

    With `whole` it is the whole file, whatever it has. `fields` are set, or removed where None.
    `seen` is the text that the author began with; None does not ask.
    """

    text: str | None = None
    fields: Mapping[str, Value] | None = None
    expected_text: str | None = None
    is_whole_file: bool = False


def parse_field_values(pairs: Mapping[str, str], text: str) -> dict[str, Value]:
    """Read `KEY=VALUE` pairs as fields of an atom: a list where the field holds one.

    An empty value removes the field. Raises `Refused` for a field that has a command of its own.
    """
    present = atom_text.parse_frontmatter(text).fields
    values: dict[str, Value] = {}
    for key, value in pairs.items():
        if key in COMMANDS_BY_FIELD:
            raise Refused(f"`{key}` is not set by hand", hint=COMMANDS_BY_FIELD[key])
        is_list = key in LIST_FIELDS or isinstance(present.get(key), tuple)
        safe = to_one_line(value) if is_list else strip_unprintable(value)
        values[key] = (parse_string_list(safe) if is_list else safe) if safe else None
    return values


def apply_atom_edit(before: str, changes: AtomEdit) -> str:
    """Give the text that an atom has after its changes; raises as `codec.edit` does."""
    text = before
    if changes.text is not None:
        text = (
            changes.text
            if changes.is_whole_file or _is_whole(changes.text)
            else _with_body(before, changes.text)
        )
    return atom_text.edit_frontmatter(text, changes.fields or {})


def require_editable_decision(kind: Kind, change: int | None, ref: str) -> None:
    """Refuse to change what an accepted decision says; `change` is the line where it would."""
    if kind.is_decision and change is not None:
        raise Refused(
            f"`{ref}` is accepted: line {change} may not change",
            hint=f"decide anew, then `cortexfs decision supersede {ref} --by REF`",
        )


def _is_whole(text: str) -> bool:
    """Tell whether a text has frontmatter of its own, be it broken."""
    return text.removeprefix("\ufeff").startswith("---") and not isinstance(
        atom_text.split_frontmatter(text), Flaw
    )


def _with_body(before: str, body: str) -> str:
    front, _ = atom_text.split_front_and_body(before)
    if not front:
        raise Refused("the atom has no frontmatter to keep", hint="give the whole text")
    return front + body
