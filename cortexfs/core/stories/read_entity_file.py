"""Read the file of an entity as it is now: what was generated, and what a person made of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.colours.read_colour_lines import read_colour_lines
from cortexfs.core.stories.escape_markdown import unescape_markdown
from cortexfs.core.stories.story_entity import EntityStatus, EntityType, RelationType
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.stories.colours.speaker_colour import SpeakerColour

DEFAULT_IMPORTANCE = 5
"""The importance of a fact that a person has written without one."""

_ITEM = re.compile(r"\s{0,3}[-*+] +(.*)")
_HEADING = re.compile(r"#{1,6} +(.*)")
_CHUNKS = re.compile(r"(?<!\s)\s*\(((?:[A-Z]{1,4}-\d{3,9})(?:, [A-Z]{1,4}-\d{3,9})*)\)$")
_IMPORTANCE = re.compile(r"\[i:(\d{1,2})\]\s*")
_SHARE = re.compile(r"(.*?):\s*(\d{1,3}(?:\.\d+)?)\s*%$")
_FIGURES = re.compile(
    r";\s*strength ([0-9.]+), sentiment ([-+]?[0-9.]+)(?:, (\w+) contradiction)?$"
)
_REF = re.compile(r"(?<!\s)\s+([A-Z]{1,4}-\d{3,9})(?=,|$)")
_CONCEALED = re.compile(r"(?s)<!--.*?(?:-->|\Z)")


class KnownFact(NamedTuple):
    """A fact: its text, its importance (1 to 10), the ref of its chunk (empty: a person's)."""

    text: str
    importance: int
    chunk: str


class KnownRelation(NamedTuple):
    """A relation to the entity called `other`; `ref` is empty if that one has no file.

    `strength` is from 0 to 1, `sentiment` from -1 to 1; `contradiction` is a word, or empty.
    """

    other: str
    ref: str
    type: str
    label: str = ""
    strength: float = 0.5
    sentiment: float = 0.0
    contradiction: str = ""
    chunks: tuple[str, ...] = ()


class KnownEntity(NamedTuple):
    """An entity as its file has it; `first_chunk` and `last_chunk` are refs. Texts are plain.

    All texts are untrusted: they come from chats.
    """

    ref: str
    ident: str
    name: str
    type: str
    status: str
    aliases: tuple[str, ...] = ()
    mentions: int = 0
    salience: float = 0.0
    first_chunk: str = ""
    last_chunk: str = ""
    description: str = ""
    facts: tuple[KnownFact, ...] = ()
    emotions: tuple[tuple[str, float], ...] = ()
    relations: tuple[KnownRelation, ...] = ()
    colours: tuple[SpeakerColour, ...] = ()


def parse_entity_file(text: str, path: str) -> KnownEntity | None:
    """Return the entity in a file, with all hand edits; None if it has no id or no name."""
    parsed = atom_text.parse_frontmatter(text)
    ident, name = _read_text(parsed.fields, "id"), _read_text(parsed.fields, "summary")
    if not ident or not name:
        return None
    folders = path.split("/")
    project = folders[1] if folders[0] == "projects" and len(folders) > 2 else ""  # noqa: PLR2004 - projects/P/…
    sections = _split_sections(_CONCEALED.sub("", parsed.body))
    kind, status = _read_text(parsed.fields, "type"), _read_text(parsed.fields, "status")
    return KnownEntity(
        ref=f"{project}/{ident}" if project else ident,
        ident=ident,
        name=name,
        type=kind or EntityType.CONCEPT.value,
        status=status or EntityStatus.UNKNOWN.value,
        aliases=_read_list(parsed.fields.get("aliases")),
        mentions=int(_read_number(_read_text(parsed.fields, "mentions"), 0, 1e9)),
        salience=_read_number(_read_text(parsed.fields, "salience"), 0, 1),
        first_chunk=_read_text(parsed.fields, "first-seen"),
        last_chunk=_read_text(parsed.fields, "last-seen"),
        description=" ".join(map(_to_plain, sections.get("", ()))),
        facts=tuple(map(_parse_fact, _iter_items(sections.get("facts", ())))),
        emotions=tuple(_iter_shares(_iter_items(sections.get("emotional profile", ())))),
        relations=tuple(_iter_relations(_iter_items(sections.get("relations", ())))),
        colours=read_colour_lines(text),
    )


def _read_text(fields: Mapping[str, FrontmatterValue], key: str) -> str:
    value = fields.get(key, "")
    return to_one_line(value) if isinstance(value, str) else ""


def _read_list(value: FrontmatterValue | None) -> tuple[str, ...]:
    return tuple(split_string_list(value)) if isinstance(value, str | tuple) else ()


def _read_number(text: str, least: float, most: float) -> float:
    """Return a number within bounds; the lowest for anything else."""
    try:
        number = float(text)
    except ValueError:
        return least
    return min(most, max(least, number)) if number == number else least  # noqa: PLR0124 - no number


def _split_sections(body: str) -> dict[str, list[str]]:
    """Return the lines of each section by its heading; those before the first have none."""
    sections: dict[str, list[str]] = {}
    title = ""
    for line in body.split("\n"):
        if heading := _HEADING.match(line):
            is_title = line.startswith("# ")
            title = "" if is_title else heading[1].strip().casefold()
        elif line.strip():
            sections.setdefault(title, []).append(line)
    return sections


def _iter_items(lines: list[str] | tuple[()]) -> Iterator[str]:
    """Yield the items of a list; a line that continues one belongs to it."""
    item: list[str] = []
    for line in lines:
        found = _ITEM.match(line)
        if found and item:
            yield " ".join(item)
            item = []
        item += filter(None, [(found[1] if found else line).strip()])
    if item:
        yield " ".join(item)


def _to_plain(text: str) -> str:
    return to_one_line(unescape_markdown(text))


def _cut_chunks(item: str) -> tuple[str, tuple[str, ...]]:
    """Return an item without the refs at its end, and these."""
    found = _CHUNKS.search(item)
    return (item[: found.start()], tuple(found[1].split(", "))) if found else (item, ())


def _parse_fact(item: str) -> KnownFact:
    text, chunks = _cut_chunks(item)
    found = _IMPORTANCE.match(text)
    importance = min(10, max(1, int(found[1]))) if found else DEFAULT_IMPORTANCE
    return KnownFact(
        _to_plain(text[found.end() :] if found else text), importance, chunks[0] if chunks else ""
    )


def _iter_shares(items: Iterator[str]) -> Iterator[tuple[str, float]]:
    for item in items:
        found = _SHARE.match(item)
        name = _to_plain(found[1] if found else item)
        yield name, _read_number(found[2], 0, 100) / 100 if found else 0.0


def _iter_relations(items: Iterator[str]) -> Iterator[KnownRelation]:
    for item in items:
        rest, chunks = _cut_chunks(item)
        kind, colon, rest = rest.partition(":")
        figures = _FIGURES.search(rest)
        rest = (rest[: figures.start()] if figures else rest).strip()
        ref = _REF.search(rest)
        name, _, label = (
            (rest[: ref.start()], "", rest[ref.end() :].lstrip(", "))
            if ref
            else rest.partition(", ")
        )
        if not colon or not name.strip():
            continue
        word = _to_plain(kind).casefold().replace(" ", "_")
        yield KnownRelation(
            other=_to_plain(name),
            ref=ref[1] if ref else "",
            type=word if word in {*RelationType} else RelationType.CUSTOM.value,
            label=_to_plain(label) or ("" if word in {*RelationType} else _to_plain(kind)),
            strength=_read_number(figures[1], 0, 1) if figures else 0.5,
            sentiment=_read_number(figures[2], -1, 1) if figures else 0.0,
            contradiction=(figures[3] or "") if figures else "",
            chunks=chunks,
        )
