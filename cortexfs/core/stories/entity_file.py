"""The Markdown file of an entity: generated from a value, and merged with what a person edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.entity_lines import format_chunk_ref, iter_entity_lines
from cortexfs.core.stories.escape_markdown import remove_markup
from cortexfs.core.stories.generated_lines import (
    STRUCK,
    GeneratedLine,
    Lines,
    digest_text,
    make_key,
    select_body_lines,
)
from cortexfs.core.stories.merge_generated import merge_items, merge_lines
from cortexfs.core.stories.story_entity import EntityStatus, EntityType, StoryEntity
from cortexfs.core.text.sanitize import truncate_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.stories.entity_lines import EntityPlace

    Fields = Mapping[str, FrontmatterValue]
    Changes = dict[str, str | tuple[str, ...] | None]

MAX_SUMMARY_CHARS = 200
FIELD, ALIAS, TAG = "field", "alias", "tag"
_READ_FIELDS = frozenset({"refs", "last-ref"})


class MergedFile(NamedTuple):
    """The text of a file after a merge, and what was generated of it."""

    text: str
    generated: Lines


class _MergedFields(NamedTuple):
    """Fields that change (None: they go), and what was generated of them."""

    changes: Changes
    generated: Lines


def merge_entity_file(
    before: Lines, present: str | None, entity: StoryEntity, place: EntityPlace
) -> MergedFile:
    """Return the file of an entity; `present` is the file as it is (None: it is new).

    A file whose frontmatter cannot be read stays as it is.
    """
    parsed = atom_text.parse_frontmatter(present or "")
    if present is not None and not parsed.fields:
        return MergedFile(present, before)
    day = parsed.fields.get("date")
    place = place._replace(day=day) if isinstance(day, str) and day else place
    wanted = _make_fields(entity, place)
    fields = _merge_fields(before, parsed.fields, wanted, is_new=present is None)
    lists = _merge_lists(before, parsed.fields, entity)
    lines = list(iter_entity_lines(entity, place))
    merged = merge_lines(select_body_lines(before), parsed.body.split("\n"), lines)
    text = _join(present, {**fields.changes, **lists.changes}, merged.lines)
    return MergedFile(text, fields.generated | lists.generated | merged.generated)


def _merge_fields(
    before: Lines, present: Fields, wanted: Mapping[str, str], *, is_new: bool
) -> _MergedFields:
    """Return the fields of one text each that change: those that nobody has written or struck."""
    changes: Changes = {}
    generated: Lines = {}
    for key in _select(before, FIELD).keys() - {f"{FIELD}:{name}" for name in wanted}:
        name = key.removeprefix(f"{FIELD}:")
        if is_field_own(before, present, name):
            generated[key] = STRUCK
        else:
            changes[name] = None
    for name, text in wanted.items():
        key = f"{FIELD}:{name}"
        if is_field_own(before, present, name, is_new=is_new):
            generated[key] = STRUCK
        else:
            changes[name], generated[key] = text, digest_text(text)
    return _MergedFields(changes, generated)


def _merge_lists(before: Lines, present: Fields, entity: StoryEntity) -> _MergedFields:
    """Return the tags and the aliases: what is generated, and what a person has added."""
    changes: Changes = {}
    generated: Lines = {}
    lists = {"tags": (TAG, ("story", entity.type.value)), "aliases": (ALIAS, entity.aliases)}
    for name, (kind, items) in lists.items():
        lines = [GeneratedLine(make_key(kind, item), remove_markup(item)) for item in items]
        known = _split_items(present.get(name, ()))
        merged = merge_items(_select(before, kind), known, lines)
        changes[name] = merged.lines
        generated |= merged.generated
    return _MergedFields(changes, generated)


def read_vanished_entity(text: str) -> StoryEntity | None:
    """Return an entity that no chunk names any more, as its file calls it; None if that says not.

    A person has edited the file: so it stays, without what chunks said.
    """
    fields = atom_text.parse_frontmatter(text).fields
    name, kind, status = (fields.get(key) for key in ("summary", "type", "status"))
    if not isinstance(name, str):
        return None
    return StoryEntity(
        name=name,
        type=EntityType(str(kind)) if kind in {*EntityType} else EntityType.CONCEPT,
        status=EntityStatus(str(status)) if status in {*EntityStatus} else EntityStatus.UNKNOWN,
        aliases=_split_items(fields.get("aliases", ())),
        mentions=0,
        salience=0.0,
        first_chunk=0,
        last_chunk=0,
    )


def is_field_own(before: Lines, fields: Fields, name: str, *, is_new: bool = False) -> bool:
    """Return whether a person has written, changed or struck a field."""
    known, value = before.get(f"{FIELD}:{name}"), fields.get(name)
    if is_new:
        return False
    if known is None:
        return value is not None
    return known == STRUCK or not isinstance(value, str) or digest_text(value) != known


def is_only_generated(lines: Lines, text: str) -> bool:
    """Return whether a file has all that was generated of it, and nothing else."""
    if STRUCK in lines.values():
        return False
    parsed = atom_text.parse_frontmatter(text)
    shown = {digest_text(line) for line in parsed.body.split("\n") if line.strip()}
    if shown != set(select_body_lines(lines).values()):
        return False
    fields = {name: value for name, value in parsed.fields.items() if name not in _READ_FIELDS}
    for name, kind in (("tags", TAG), ("aliases", ALIAS)):
        items = _split_items(fields.pop(name, ()))
        if set(map(digest_text, items)) != set(_select(lines, kind).values()):
            return False
    digests = {f"{FIELD}:{name}": digest_text(str(value)) for name, value in fields.items()}
    return digests == _select(lines, FIELD)


def _split_items(value: FrontmatterValue) -> tuple[str, ...]:
    return split_string_list(value) if isinstance(value, str | tuple) else ()


def _select(before: Lines, kind: str) -> Lines:
    return {key: digest for key, digest in before.items() if key.startswith(f"{kind}:")}


def _join(present: str | None, changes: Changes, body: tuple[str, ...]) -> str:
    """Return the text with its changed fields and its new body; other fields stay."""
    text = "".join(f"{line}\n" for line in body)
    if present is None:
        given = {key: value for key, value in changes.items() if value is not None}
        return f"---\n{atom_text.format_frontmatter(given)}---\n\n{text}"
    front, _ = atom_text.split_front_and_body(present)
    fields = atom_text.parse_frontmatter(present).fields
    changes = {key: value for key, value in changes.items() if fields.get(key) != value}
    empty = "" if text.startswith("\n") else "\n"
    if not changes:
        return f"{front}{empty}{text}"
    if made := _change_as_made(front, fields, changes):
        return f"{made}{empty}{text}"
    return atom_text.edit_frontmatter(f"{front}{empty}{text}", changes)


def _change_as_made(front: str, fields: Fields, changes: Changes) -> str:
    """Return frontmatter with other values, made anew where it is as it was made; else nothing.

    This is much less work than an edit of what a person may have written.
    """
    given = {key: text for key, value in fields.items() if (text := _to_edit(value)) is not None}
    changed = {key: value for key, value in changes.items() if value is not None}
    is_known = len(given) == len(fields) and changed.keys() == changes.keys() <= given.keys()
    if not is_known or _format_front(given) != front:
        return ""
    return _format_front(given | changed)


def _to_edit(value: FrontmatterValue) -> str | tuple[str, ...] | None:
    """Return a text or a list of texts; None for any other value."""
    if isinstance(value, str):
        return value
    texts = tuple(each for each in value if isinstance(each, str))
    return texts if isinstance(value, tuple) and len(texts) == len(value) else None


def _format_front(fields: Mapping[str, str | tuple[str, ...]]) -> str:
    return f"---\n{atom_text.format_frontmatter(fields)}---\n"


def _make_fields(entity: StoryEntity, place: EntityPlace) -> dict[str, str]:
    """Return the fields of one text each, in the order of the format."""
    fields = {
        "id": place.ident,
        "date": place.day,
        "project": place.project,
        "summary": truncate_line(remove_markup(entity.name), MAX_SUMMARY_CHARS) or "?",
        "status": entity.status.value,
        "type": entity.type.value,
        "mentions": str(entity.mentions),
        "salience": f"{entity.salience:.4f}",
    }
    if entity.first_chunk:
        fields["first-seen"] = format_chunk_ref(entity.first_chunk)
        fields["last-seen"] = format_chunk_ref(entity.last_chunk)
    return fields
