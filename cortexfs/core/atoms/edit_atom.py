"""Edit an atom: its whole text, its body, or single fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw, split_string_list
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.text.sanitize import strip_unprintable, to_one_line
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.kind import Kind

    Value = str | tuple[str, ...] | None

LIST_FIELDS = frozenset({"evidence", "source-experiments", "links", "supersedes", "tags"})
"""Fields that hold a list."""
COMMANDS_BY_FIELD = {
    "id": "`cortexfs rename REF NEW-ID`",
    "project": "`cortexfs move REF PROJECT`",
    "status": "`cortexfs mark REF STATUS`",
}
"""Fields on which other files depend, and the command that changes these files too."""


@dataclass(frozen=True, slots=True)
class AtomEdit:
    """The changes to an atom.

    `text` replaces the body, or the whole file if it has frontmatter or `is_whole_file` is set.
    `fields` are set, or removed if None. `expected_text` is the text that the author started from;
    if it is None, the present text is not compared with it. `added_tags` and `removed_tags` change
    the tags of the text or of `fields`.
    """

    text: str | None = None
    fields: Mapping[str, Value] | None = None
    expected_text: str | None = None
    is_whole_file: bool = False
    added_tags: tuple[str, ...] = ()
    removed_tags: tuple[str, ...] = ()


def parse_field_values(pairs: Mapping[str, str], text: str) -> dict[str, Value]:
    """Return `KEY=VALUE` pairs as fields of an atom; a list field gets a list.

    An empty value removes the field. Raises `Refused` for a field that has its own command.
    """
    present = atom_text.parse_frontmatter(text).fields
    values: dict[str, Value] = {}
    for key, value in pairs.items():
        if key in COMMANDS_BY_FIELD:
            raise Refused(f"`{key}` cannot be set directly", hint=f"use {COMMANDS_BY_FIELD[key]}")
        is_list = key in LIST_FIELDS or isinstance(present.get(key), tuple)
        safe = to_one_line(value) if is_list else strip_unprintable(value)
        values[key] = (split_string_list(safe) if is_list else safe) if safe else None
    return values


def apply_atom_edit(before: str, edit: AtomEdit) -> str:
    """Return the text of an atom after an edit. Raises as `atom_text.edit_frontmatter` does."""
    text = before
    if edit.text is not None:
        text = (
            edit.text
            if edit.is_whole_file or _has_frontmatter(edit.text)
            else _replace_body(before, edit.text)
        )
    return atom_text.edit_frontmatter(text, _add_tag_field(text, edit))


def list_changed_parts(before: str, after: str) -> list[str]:
    """Return the names of the fields that an edit changed, and `body` if that changed."""
    old, new = (atom_text.parse_frontmatter(text).fields for text in (before, after))
    changed = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    changed = changed if old else ["frontmatter"]  # it was unreadable
    bodies = {atom_text.split_front_and_body(text)[1] for text in (before, after)}
    return [*changed, *(["body"] if len(bodies) > 1 else [])]


def _add_tag_field(text: str, edit: AtomEdit) -> dict[str, Value]:
    """Return the fields of an edit, with the tags as they are after adding and removing."""
    fields = dict(edit.fields or {})
    if edit.added_tags or edit.removed_tags:
        present = atom_text.parse_frontmatter(text).fields.get("tags", "")
        old = split_string_list(fields.get("tags", present) or "")
        new = [
            tag for tag in dict.fromkeys((*old, *edit.added_tags)) if tag not in edit.removed_tags
        ]
        if tuple(new) != old:
            fields["tags"] = tuple(new) or None
    return fields


def require_editable_decision(kind: Kind, changed_line: int | None, ref: str) -> None:
    """Raise `Refused` if an edit changes the protected line `changed_line` of a decision."""
    if kind.is_decision and changed_line is not None:
        raise Refused(
            f"`{ref}` is accepted; line {changed_line} cannot change",
            hint=f"make a new decision, then `cortexfs decision supersede {ref} --by REF`",
        )


def _has_frontmatter(text: str) -> bool:
    """Return whether a text has frontmatter, even invalid frontmatter."""
    return text.removeprefix("\ufeff").startswith("---") and not isinstance(
        atom_text.split_frontmatter(text), Flaw
    )


def _replace_body(before: str, body: str) -> str:
    front, _ = atom_text.split_front_and_body(before)
    if not front:
        raise Refused(
            "the atom has no frontmatter to keep", hint="give the whole text, with frontmatter"
        )
    return front + body
