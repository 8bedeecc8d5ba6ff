"""Merge two entities that are one: the kept one gets the names, and what a person wrote."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import Write
from cortexfs.core.stories.correct_text import add_aliases, add_facts
from cortexfs.core.stories.escape_markdown import escape_markdown
from cortexfs.core.stories.generated_lines import digest_text
from cortexfs.core.stories.strike_item import add_colour
from cortexfs.errors import Refused
from cortexfs.operations.stories.entity_edits import EntityEdits
from cortexfs.operations.stories.stored_entities import read_stored_entities

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.operations.stories.entity_edits import EntityText
    from cortexfs.session.view import View


def merge_entities(view: View, kept: EntityText, other: EntityText) -> EntityEdits:
    """Return the edits that unite another entity with one that is kept.

    Raises `Refused` if both are the same one, or of two projects.
    """
    project = kept.ref.rpartition("/")[0]
    if kept.ref == other.ref:
        raise Refused(f"{kept.ref} is one entity", hint="name the other one that it is too")
    if other.ref.rpartition("/")[0] != project:
        raise Refused(f"{other.ref} is of another project", hint="entities belong to one project")
    text = _take_over(kept, other.entity)
    writes = [Write(kept.path, text, kept.text), *_iter_renamed(view, kept, other)]
    merged = (other.entity.ident, kept.entity.ident)
    return EntityEdits(tuple(writes), {other.path: other.text}, merged)


def _take_over(kept: EntityText, other: KnownEntity) -> str:
    """Return the file that is kept, with the names, own facts and own colours of the other."""
    text = add_aliases(kept.text, kept.entity, (other.name, *other.aliases))
    own = [each for each in other.facts if not each.chunk]
    known = {each.text.casefold() for each in kept.entity.facts}
    lines = [
        f"- [i:{each.importance}] {escape_markdown(each.text)}"
        for each in own
        if each.text.casefold() not in known
    ]
    text = add_facts(text, lines)
    usages = {each.usage for each in kept.entity.colours if each.confidence == 1}
    for colour in other.colours:
        if colour.confidence == 1 and colour.usage not in usages:
            text = add_colour(text, colour.colour, colour.usage)
    return text


def _iter_renamed(view: View, kept: EntityText, other: EntityText) -> Iterator[Write]:
    """Yield the writes of files in which a person names the other one by its id."""
    stored = read_stored_entities(view, kept.ref.rpartition("/")[0])
    ident = re.compile(rf"(?<![\w-]){re.escape(other.entity.ident)}(?![\w-])")
    for owner, file in stored.present.items():
        if file.text is None or file.path in {kept.path, other.path} or not ident.search(file.text):
            continue
        generated = set(stored.generated.get(owner, {}).values())
        lines = [
            line if digest_text(line) in generated else ident.sub(kept.entity.ident, line)
            for line in file.text.split("\n")
        ]
        text = "\n".join(lines)
        if text != file.text:
            yield Write(file.path, text, file.text)
