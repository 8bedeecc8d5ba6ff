"""What the file of an entity tells of a person's decisions, beside what was generated of it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.assign_entity_ids import NAME
from cortexfs.core.stories.colours.read_colour_lines import read_colour_lines
from cortexfs.core.stories.entity_file import ALIAS, is_field_own
from cortexfs.core.stories.generated_lines import (
    STRUCK,
    digest_text,
    make_key,
    select_body_lines,
)
from cortexfs.core.stories.merge_generated import find_struck
from cortexfs.core.stories.story_entity import EntityType

if TYPE_CHECKING:
    from collections.abc import Collection

    from cortexfs.core.stories.generated_lines import Lines

_MAX_NAMES = 65_536

Pairs = tuple[tuple[str, str], ...]


class ShownNames(NamedTuple):
    """What the file of an entity shows: its name, its type as written, its aliases, own colours.

    A colour that a person has written has no confidence; here it is as usage and colour.
    """

    name: str = ""
    type: str = ""
    aliases: tuple[str, ...] = ()
    colours: Pairs = ()


class OwnerState(NamedTuple):
    """What is known of one entity.

    `lines` are what was generated, without the names that a person has struck; `names` are their
    keys of names. `called` are its names, those first by which the texts may call it; `added` are
    its names if a person has added some, `struck_names` the digests of the aliases that one has
    struck, and `struck` the keys of lines of the body that one has struck or changed. `own_name` is
    the name that a person has given to it, `has_own_type` says the same of its type.
    """

    lines: Lines
    names: tuple[str, ...]
    shown: ShownNames = ShownNames()
    called: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    struck_names: tuple[str, ...] = ()
    struck: frozenset[str] = frozenset()
    own_name: str = ""
    has_own_type: bool = False

    @property
    def struck_relations(self) -> bool:
        """Whether a person has struck or changed a relation."""
        return any(key.startswith("relation:") for key in self.struck)


def read_owner_state(lines: Lines, text: str | None) -> OwnerState:
    """Return what is known of an entity; without a text, what was generated alone tells it."""
    if not text:
        return OwnerState(lines, _select_names(lines))
    parsed = atom_text.parse_frontmatter(text)
    shown = _read_shown(text)
    struck_names = find_struck_aliases(lines, (shown.name, *shown.aliases))
    kept = _drop_names(lines, struck_names)
    digests = {digest for digest in _select_aliases(lines).values() if digest != STRUCK}
    own = tuple(each for each in shown.aliases if digest_text(each) not in digests)
    is_renamed = is_field_own(lines, {"summary": shown.name}, "summary")
    names = (*own, shown.name) if is_renamed else (shown.name, *own)
    return OwnerState(
        kept,
        _select_names(kept),
        shown,
        (*names, *shown.aliases),
        names if own else (),
        tuple(sorted(struck_names)),
        find_struck(select_body_lines(lines), parsed.body.split("\n")),
        shown.name if is_renamed else "",
        is_field_own(lines, {"type": shown.type}, "type") and shown.type in {*EntityType},
    )


def drop_struck_names(lines: Lines, text: str | None) -> Lines:
    """Return what was generated of an entity without the names that a person has struck."""
    shown = _read_shown(text) if text else None
    return (
        _drop_names(lines, find_struck_aliases(lines, (shown.name, *shown.aliases)))
        if shown
        else lines
    )


def _drop_names(lines: Lines, struck: Collection[str]) -> Lines:
    names = {f"{NAME}:{key}" for key in struck} & lines.keys()
    return {key: each for key, each in lines.items() if key not in names} if names else lines


def find_struck_aliases(lines: Lines, names: Collection[str]) -> frozenset[str]:
    """Return the digests of the aliases that a person has struck.

    `names` are those that the file shows: an alias that is the name now is not struck.
    """
    digests = set(map(digest_text, names))
    kept = set(map(digest_name, names))
    return frozenset(
        key
        for key, digest in _select_aliases(lines).items()
        if key not in kept and digest not in digests
    )


def _select_aliases(lines: Lines) -> Lines:
    prefix = f"{ALIAS}:"
    return {key[len(prefix) :]: each for key, each in lines.items() if key.startswith(prefix)}


def _select_names(lines: Lines) -> tuple[str, ...]:
    return tuple(key for key in lines if key.startswith(f"{NAME}:"))


@lru_cache(maxsize=_MAX_NAMES)
def digest_name(name: str) -> str:
    """Return the digest of a name, in which case and white space do not count."""
    return make_key("", name)[1:]


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
