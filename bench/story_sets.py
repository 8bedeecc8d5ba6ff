"""Annotated novels on the reader's disk: what they name, as forms of one entity each.

Three layouts are read; only passages of our own, in the last one, are shipped here:

- LitBank: `coref/brat/NAME.ann` (lines `MENTION id sentence token sentence token text TYPE KIND`
  and `COREF id entity`, parts apart by tabs) beside `NAME.txt` (a sentence in each line, tokens
  apart by spaces). Mentions of KIND `PROP` are forms; PER are characters, LOC, GPE and FAC places.
- PDNC: a folder for each novel with `character_info.csv` (columns `Main Name`, `Aliases`) and
  `novel_text.txt`; `places.txt` beside them (a place in each line, its forms apart by `|`) is
  optional. How often a form stands in the text is counted.
- Ours: `NAME.txt` beside `NAME.names`, in which each line is a type, a colon and the forms of one
  entity, apart by `|`: `character: Nathaniel Penrose|Nat`. They are counted, too.
"""

from __future__ import annotations

import ast
import csv
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PLACES = frozenset({"LOC", "GPE", "FAC"})


@dataclass(frozen=True, slots=True)
class Named:
    """What one entity is called, how often, and whether it is a character or a place."""

    forms: frozenset[str]
    mentions: int
    type: str


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """A text with what it names; `places` tells whether places are annotated."""

    name: str
    text: str
    named: tuple[Named, ...]
    places: bool


def normalize_form(form: str) -> str:
    """Return a form as it is compared: no case, no full stops, no article, straight apostrophes.

    `Anne - Marie` is Anne-Marie.
    """
    plain = " ".join(form.lower().replace("’", "'").replace(".", " ").split())
    plain = re.sub(r" ?'s$", "", plain).replace(" - ", "-")
    return re.sub(r"^(the|a|an) ", "", plain)


def read_sets(folder: Path, words: int | None = None) -> Iterator[AnnotatedText]:
    """Yield every annotated text below the folder; `words` cuts each after so many words."""
    for path in sorted(folder.rglob("*.ann")):
        if path.with_suffix(".txt").exists():
            yield _read_litbank(path)
    for path in sorted(folder.rglob("character_info.csv")):
        yield _read_pdnc(path.parent, words)
    for path in sorted(folder.rglob("*.names")):
        yield _read_ours(path)


def _read_litbank(path: Path) -> AnnotatedText:
    mentions: dict[str, tuple[str, str, str]] = {}
    entity: dict[str, str] = {}
    for line in path.read_text("utf-8").splitlines():
        parts = line.split("\t")
        if parts[0] == "MENTION":
            mentions[parts[1]] = (parts[6], parts[7], parts[8])
        elif parts[0] == "COREF":
            entity[parts[1]] = parts[2]
    forms: dict[str, Counter[str]] = {}
    types: dict[str, str] = {}
    for mention, (text, kind, category) in mentions.items():
        first, second = (
            (kind, category) if category in {"PROP", "NOM", "PRON"} else (category, kind)
        )
        if second == "PROP" and first in _PLACES | {"PER"}:
            known = entity.get(mention, mention)
            forms.setdefault(known, Counter())[normalize_form(text)] += 1
            types.setdefault(known, "character" if first == "PER" else "location")
    text = _join_tokens(path.with_suffix(".txt").read_text("utf-8"))
    named = tuple(
        Named(frozenset(counts), counts.total(), types[known]) for known, counts in forms.items()
    )
    return AnnotatedText(path.stem, text, named, places=True)


def _join_tokens(text: str) -> str:
    """Return tokenized text as it is printed."""
    text = re.sub(r" ([,.!?;:)\]”’]|n't\b|['’](?:s|ll|re|ve|d|m)\b)", r"\1", text)
    text = re.sub(r'" ([^"]*?) "', r'"\1"', text)
    text = re.sub(r"(?<=\w) - (?=\w)", "-", text)
    return re.sub(r"([(\[“‘]) ", r"\1", text)


def _read_pdnc(folder: Path, words: int | None) -> AnnotatedText:
    text = next(
        path for path in (folder / "novel_text.txt", folder / "novel.txt") if path.exists()
    ).read_text("utf-8")
    if words is not None:
        text = "".join(re.findall(r"\S+\s*", text)[:words])
    entries: list[tuple[str, frozenset[str]]] = []
    with (folder / "character_info.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            aliases = ast.literal_eval(row["Aliases"]) if row["Aliases"].strip() else ()
            entries.append(("character", frozenset({row["Main Name"], *aliases})))
    places = folder / "places.txt"
    if places.exists():
        lines = places.read_text("utf-8").splitlines()
        entries += [("location", frozenset(line.split("|"))) for line in lines if line]
    return AnnotatedText(folder.name, text, _count_forms(text, entries), places.exists())


def _read_ours(path: Path) -> AnnotatedText:
    text = path.with_suffix(".txt").read_text("utf-8")
    entries: list[tuple[str, frozenset[str]]] = []
    for line in path.read_text("utf-8").splitlines():
        kind, _, forms = line.partition(": ")
        entries.append((kind, frozenset(forms.split("|"))))
    return AnnotatedText(path.stem, text, _count_forms(text, entries), places=True)


def _count_forms(text: str, entries: list[tuple[str, frozenset[str]]]) -> tuple[Named, ...]:
    plain = " ".join(text.replace("’", "'").replace(".", " ").split())
    forms = {
        " ".join(form.replace("’", "'").replace(".", " ").split())
        for _, group in entries
        for form in group
    }
    pattern = "|".join(
        re.escape(form) for form in sorted(forms, key=lambda form: (-len(form), form))
    )
    counts = Counter(re.findall(rf"(?<!\w)(?:{pattern})(?!\w)", plain))
    named = []
    for kind, group in entries:
        written = {" ".join(form.replace("’", "'").replace(".", " ").split()) for form in group}
        found = {form for form in written if counts[form]}
        if found:
            named.append(
                Named(
                    frozenset(map(normalize_form, found)), sum(counts[form] for form in found), kind
                )
            )
    return tuple(named)
