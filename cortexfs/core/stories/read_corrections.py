"""What a person decided by editing or removing the files of entities."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.assign_entity_ids import NAME
from cortexfs.core.stories.colours.read_colour_lines import read_colour_lines
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
    """What the file of an entity shows: its name, its type as written, its aliases, own colours.

    A colour that a person has written has no confidence; here it is as usage and colour.
    """

    name: str
    type: str
    aliases: tuple[str, ...]
    colours: Pairs = ()


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
    colours: list[tuple[str, str, str]] = []
    for owner in sorted(generated.keys() & present.keys()):
        lines, text = generated[owner], present[owner]
        shown = _read_shown(text) if text else None
        if shown is None or not shown.name:
            continue
        if is_field_own(lines, {"type": shown.type}, "type") and shown.type in {*EntityType}:
            types |= dict.fromkeys((shown.name, *shown.aliases), shown.type)
        anchor, own = _find_anchor(lines, shown, by_key)
        same += [(anchor, each) for each in own if each != anchor]
        colours += [(anchor, *each) for each in shown.colours]
        for key in sorted(find_struck_aliases(lines, (shown.name, *shown.aliases))):
            different += [(anchor, name) for name in by_key.get(key, ())]
    removed = (name for key in _find_removed(generated, present) for name in by_key.get(key, ()))
    gone = frozenset(name.lower() for name in removed)
    return Corrections(gone, types, tuple(same), tuple(different), tuple(colours))


def drop_struck_names(lines: Lines, text: str | None) -> Lines:
    """Return what was generated of an entity without the names that a person has struck."""
    shown = _read_shown(text) if text else None
    struck = find_struck_aliases(lines, (shown.name, *shown.aliases)) if shown else ()
    if not struck:
        return lines
    names = {f"{NAME}:{key}" for key in struck}
    return {key: digest for key, digest in lines.items() if key not in names}


def _find_anchor(
    lines: Lines, shown: ShownNames, by_key: Mapping[str, object]
) -> tuple[str, tuple[str, ...]]:
    """Return the name to which a person has added others, and these.

    An entity that a person has renamed is that of its former name, in the texts.
    """
    digests = {digest for digest in _select_aliases(lines).values() if digest != STRUCK}
    own = tuple(each for each in shown.aliases if digest_text(each) not in digests)
    is_renamed = is_field_own(lines, {"summary": shown.name}, "summary")
    names = (*own, shown.name) if is_renamed else (shown.name, *own)
    said = (each for each in (*names, *shown.aliases) if _digest_name(each) in by_key)
    return next(said, shown.name), names if own else ()


def read_own_names(
    generated: Mapping[str, Lines], present: Mapping[str, str | None]
) -> dict[str, str]:
    """Return the names that a person has given to entities, by id."""
    found: dict[str, str] = {}
    for owner in generated.keys() & present.keys():
        text = present[owner]
        name = _read_shown(text).name if text else ""
        if name and is_field_own(generated[owner], {"summary": name}, "summary"):
            found[owner] = name
    return found


def find_struck_aliases(lines: Lines, names: Collection[str]) -> frozenset[str]:
    """Return the digests of the aliases that a person has struck.

    `names` are those that the file shows: an alias that is the name now is not struck.
    """
    digests = set(map(digest_text, names))
    kept = set(map(_digest_name, names))
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
        _read_own_colours(text),
    )


def _read_own_colours(text: str) -> Pairs:
    if "## colo" not in text.casefold():
        return ()
    return tuple(
        (each.usage.value, each.colour) for each in read_colour_lines(text) if each.confidence == 1
    )
