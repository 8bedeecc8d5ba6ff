"""What a person decided by editing or removing the files of entities."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.assign_entity_ids import NAME
from cortexfs.core.stories.entities.entity import Corrections
from cortexfs.core.stories.entity_file import ALIAS, is_field_own
from cortexfs.core.stories.generated_lines import STRUCK, digest_text, make_key
from cortexfs.core.stories.story_entity import EntityType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from cortexfs.core.stories.generated_lines import Lines

_MAX_FILES = 1024
_MAX_NAMES = 65_536

Pairs = tuple[tuple[str, str], ...]


class ShownNames(NamedTuple):
    """What the file of an entity shows: its name, its type as written, its aliases."""

    name: str
    type: str
    aliases: tuple[str, ...]


def read_corrections(
    generated: Mapping[str, Lines], present: Mapping[str, str | None], names: Iterable[str]
) -> Corrections:
    """Return what a person decided about `names`, which are those in the texts.

    `present` has the text of each file by id (None: it cannot be read).
    """
    by_key: dict[str, list[str]] = {}
    for name in names:
        by_key.setdefault(_digest_name(name), []).append(name)
    types: dict[str, str] = {}
    same: list[tuple[str, str]] = []
    different: list[tuple[str, str]] = []
    for owner in sorted(generated.keys() & present.keys()):
        lines, text = generated[owner], present[owner]
        shown = _read_shown(text) if text else None
        if shown is None or not shown.name:
            continue
        if is_field_own(lines, {"type": shown.type}, "type") and shown.type in {*EntityType}:
            types |= dict.fromkeys((shown.name, *shown.aliases), shown.type)
        digests = {digest for digest in _select_aliases(lines).values() if digest != STRUCK}
        same += [(shown.name, each) for each in shown.aliases if digest_text(each) not in digests]
        for key in sorted(find_struck_aliases(lines, shown.aliases)):
            different += [(shown.name, name) for name in by_key.get(key, ())]
    removed = (name for key in _find_removed(generated, present) for name in by_key.get(key, ()))
    return Corrections(
        frozenset(name.lower() for name in removed), types, tuple(same), tuple(different)
    )


def drop_struck_names(lines: Lines, text: str | None) -> Lines:
    """Return what was generated of an entity without the names that a person has struck."""
    shown = _read_shown(text) if text else None
    struck = find_struck_aliases(lines, shown.aliases) if shown else ()
    if not struck:
        return lines
    names = {f"{NAME}:{key}" for key in struck}
    return {key: digest for key, digest in lines.items() if key not in names}


def find_struck_aliases(lines: Lines, aliases: Collection[str]) -> frozenset[str]:
    """Return the digests of the aliases that a person has struck; `aliases` are those shown."""
    digests = set(map(digest_text, aliases))
    kept = set(map(_digest_name, aliases))
    return frozenset(
        key
        for key, digest in _select_aliases(lines).items()
        if key not in kept and digest not in digests
    )


def _select_aliases(lines: Lines) -> Lines:
    prefix = f"{ALIAS}:"
    return {key[len(prefix) :]: each for key, each in lines.items() if key.startswith(prefix)}


def _find_removed(
    generated: Mapping[str, Lines], present: Mapping[str, str | None]
) -> frozenset[str]:
    """Return the digests of names that only entities had whose files were removed."""
    names: dict[bool, set[str]] = {True: set(), False: set()}
    for owner, lines in generated.items():
        keys = (key.partition(":") for key in lines)
        names[owner in present].update(digest for kind, _, digest in keys if kind == NAME)
    return frozenset(names[False] - names[True])


@lru_cache(maxsize=_MAX_NAMES)
def _digest_name(name: str) -> str:
    return make_key("", name)[1:]


@lru_cache(maxsize=_MAX_FILES)
def _read_shown(text: str) -> ShownNames:
    fields = atom_text.parse_frontmatter(text).fields
    value = fields.get("aliases", ())
    aliases = split_string_list(value) if isinstance(value, str | tuple) else ()
    name, kind = fields.get("summary"), fields.get("type")
    return ShownNames(
        name if isinstance(name, str) else "",
        kind if isinstance(kind, str) else "",
        tuple(aliases),
    )
