"""The kind of atom for a foreign note: by its frontmatter, its folder, or the default."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.atoms.kinds import Kinds

DEFAULT_KIND = "knowledge"
KIND_KEYS = ("type", "kind", "category")
"""Frontmatter keys that may contain a kind."""
SUPPLIED_FIELDS = frozenset({"evidence", "status", "type"})
"""Required fields that every import can fill: with the origin, the initial status, `note`."""
NOTE_TYPE = "note"
"""The type of an observation whose note has none."""
# words of other programs, not of the format: so they are not in the table of kinds
_KIND_WORDS = {
    "experiment": "experiment test trial benchmark",
    "decision": "decision adr dr",
    "idea": "idea",
    "observation": (
        "observation daily daily-note journal diary log meeting standup fleeting inbox scratch"
    ),
}
_KIND_FOLDERS = {
    "experiment": "experiments experiment benchmarks trials",
    "decision": "decisions decision adr adrs",
    "idea": "ideas idea",
    "observation": (
        "observations daily daily-notes dailies journal journals diary log logs meetings fleeting"
        " inbox scratch"
    ),
}


def choose_kind(
    values: Mapping[str, object], path: str, kinds: Kinds, requested: Kind | None
) -> tuple[Kind, str]:
    """Return the kind of a note, and the first required field that it lacks (empty: none).

    A kind in `requested` applies to all notes; otherwise the first whose required fields are
    present.
    """
    if requested:
        return requested, _find_missing_field(requested, values)
    default = kinds.find_by_name(DEFAULT_KIND)
    for kind in (*_list_suggested_kinds(values, path, kinds), *([default] if default else ())):
        if not _find_missing_field(kind, values):
            return kind, ""
    kind = default or next(iter(kinds))
    return kind, _find_missing_field(kind, values)


def _list_suggested_kinds(values: Mapping[str, object], path: str, kinds: Kinds) -> Iterator[Kind]:
    """Yield the kinds named by the frontmatter, then by the folders from the innermost out."""
    for key in KIND_KEYS:
        if isinstance(value := values.get(key), str):
            yield from _find_kinds_by_word(value, _KIND_WORDS, kinds)
    for step in reversed(path.split("/")[:-1]):
        found = next((row for row in kinds if row.folder == step.lower()), None)
        yield from [found] if found else _find_kinds_by_word(step, _KIND_FOLDERS, kinds)


def _find_kinds_by_word(text: str, synonyms: Mapping[str, str], kinds: Kinds) -> Iterator[Kind]:
    word = "-".join(text.lower().replace("_", " ").split())
    names = [word, *(name for name, words in synonyms.items() if word in words.split())]
    yield from (kind for name in names if (kind := kinds.find_by_name(name)))


def _find_missing_field(kind: Kind, values: Mapping[str, object]) -> str:
    """Return the first required field that a note lacks and an import cannot fill; else empty."""
    required = [key for key in kind.required_fields if key not in SUPPLIED_FIELDS]
    return next((key for key in required if values.get(key) in (None, "", [], ())), "")
