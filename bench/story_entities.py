"""How well people and places of novels are found, beside spaCy and compromise if installed.

    python -m bench.story_entities [FOLDER] [--words N] [--show]
        [--spacy PYTHON MODEL] [--compromise NODE_MODULES]

FOLDER has annotated novels (`bench/story_sets.py` tells the layouts); without one, passages of our
own are read. For each text and in all:

- characters: the share of those predicted with three mentions or more that have a form in common
  with an annotated character (precision); the share of those annotated with three mentions or more
  that have a form in common with anything predicted (recall), and with a character (type);
- aliases: pairs of forms of one entity, among forms that are both annotated and predicted;
- places: precision and recall among what is predicted as a place, from one mention on.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections import Counter
from itertools import combinations
from pathlib import Path

from bench.story_sets import AnnotatedText, Named, normalize_form, read_sets
from cortexfs.core.stories.entities.evidence import Totals
from cortexfs.core.stories.entities.read_passage import read_passage
from cortexfs.core.stories.entities.resolve_entities import resolve_entities

PASSAGES = Path(__file__).parent / "passages"
"""Beginnings of stories in many styles, written for this."""
_ENOUGH = 3
_PASSAGE = 8_000
"""Characters of a passage: novels are read in pieces, as conversations are."""


def predict(text: str) -> list[Named]:
    """Return what cortexfs finds in a text."""
    totals = Totals()
    for number, passage in enumerate(_cut(text), 1):
        totals.add(number, read_passage(passage))
    return [
        Named(
            frozenset(normalize_form(form) for form in (entity.name, *entity.aliases)),
            entity.mentions,
            entity.type,
        )
        for entity in resolve_entities(totals)
    ]


def _cut(text: str) -> list[str]:
    passages, start = [], 0
    while start < len(text):
        end = text.find("\n\n", start + _PASSAGE)
        end = len(text) if end < 0 else end
        passages.append(text[start:end])
        start = end
    return passages


def measure(
    annotated: AnnotatedText, predicted: list[Named], totals: Counter[str], *, show: bool
) -> None:
    """Add the counts of one text to the totals."""
    people = [named for named in annotated.named if named.type == "character"]
    _measure_people(people, predicted, totals, show=show)
    _measure_aliases(people, predicted, totals, show=show)
    if annotated.places:
        _measure_places(annotated, predicted, totals, show=show)


def _measure_people(
    people: list[Named], predicted: list[Named], totals: Counter[str], *, show: bool
) -> None:
    enough = [named for named in people if named.mentions >= _ENOUGH]
    ours = [n for n in predicted if n.type == "character" and n.mentions >= _ENOUGH]
    real = {form for named in people for form in named.forms}
    wrong = [named for named in ours if not named.forms & real]
    met = [(named, [other for other in predicted if other.forms & named.forms]) for named in enough]
    found = [(named, hits) for named, hits in met if hits]
    mistaken = [(named, hits) for named, hits in found if "character" not in {h.type for h in hits}]
    totals.update({"predicted": len(ours), "right": len(ours) - len(wrong), "gold": len(enough)})
    totals.update({"found": len(found), "typed": len(found) - len(mistaken)})
    if show:
        print("  no character:", *(sorted(named.forms) for named in wrong))
        print("  missed:", *(sorted(named.forms) for named, hits in met if not hits))
        print("  wrong type:", *((sorted(named.forms), hits[0].type) for named, hits in mistaken))


def _measure_aliases(
    people: list[Named], predicted: list[Named], totals: Counter[str], *, show: bool
) -> None:
    gold = {pair for named in people for pair in combinations(sorted(named.forms), 2)}
    known = {form for named in people for form in named.forms}
    persons = [named for named in predicted if named.type == "character"]
    guess = {pair for named in persons for pair in combinations(sorted(named.forms & known), 2)}
    totals.update(
        {"alias_gold": len(gold), "alias_guess": len(guess), "alias_right": len(gold & guess)}
    )
    if show:
        print("  wrong aliases:", *sorted(guess - gold))
        print("  missed aliases:", *sorted(gold - guess))


def _measure_places(
    annotated: AnnotatedText, predicted: list[Named], totals: Counter[str], *, show: bool
) -> None:
    gold = [named for named in annotated.named if named.type == "location"]
    ours = [named for named in predicted if named.type == "location"]
    gold_forms = {form for named in gold for form in named.forms}
    our_forms = {form for named in ours for form in named.forms}
    wrong = [named for named in ours if not named.forms & gold_forms]
    missed = [named for named in gold if not named.forms & our_forms]
    totals.update(
        {
            "place_guess": len(ours),
            "place_right": len(ours) - len(wrong),
            "place_gold": len(gold),
            "place_found": len(gold) - len(missed),
        }
    )
    if show:
        print("  no place:", *(sorted(named.forms) for named in wrong))
        print("  missed places:", *(sorted(named.forms) for named in missed))


def line(name: str, totals: Counter[str]) -> str:
    """Return the figures of one row."""
    right, found = _share(totals, "right", "predicted"), _share(totals, "found", "gold")
    typed = _share(totals, "typed", "found")
    exact = _share(totals, "alias_right", "alias_guess")
    full = _share(totals, "alias_right", "alias_gold")
    alias = 2 * exact * full / (exact + full or 1)
    real = _share(totals, "place_right", "place_guess")
    seen = _share(totals, "place_found", "place_gold")
    return (
        f"{name:28} characters {right:.2f} / {found:.2f}  type {typed:.2f}  aliases {alias:.2f}"
        f" ({exact:.2f} / {full:.2f})  places {real:.2f} / {seen:.2f}"
    )


def _share(totals: Counter[str], part: str, whole: str) -> float:
    return totals[part] / totals[whole] if totals[whole] else 0.0


def ask_peer(command: list[str], text: str) -> list[Named]:
    """Return what another program finds in a text; it prints [name, type, mentions] of each."""
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return [
        Named(frozenset({normalize_form(name)}), count, kind)
        for name, kind, count in json.loads(done.stdout)
    ]


def main() -> None:
    """Print a row for each text and one for all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=PASSAGES)
    parser.add_argument("--words", type=int, help="read only the first N words of each text")
    parser.add_argument("--show", action="store_true", help="show what was wrong")
    parser.add_argument("--spacy", nargs=2, metavar=("PYTHON", "MODEL"))
    parser.add_argument("--compromise", metavar="NODE_MODULES")
    options = parser.parse_args()
    peers = Path(__file__).parent / "story_peers"
    commands = {}
    if options.spacy:
        commands["spaCy"] = [options.spacy[0], str(peers / "with_spacy.py"), options.spacy[1]]
    if options.compromise:
        commands["compromise"] = ["node", str(peers / "with_compromise.js"), options.compromise]
    sums: dict[str, Counter[str]] = {}
    for annotated in read_sets(options.folder, options.words):
        _compare(annotated, commands, sums, show=options.show)
    for name, total in sums.items():
        print(line(f"ALL {name}", total))


def _compare(
    annotated: AnnotatedText,
    commands: dict[str, list[str]],
    sums: dict[str, Counter[str]],
    *,
    show: bool,
) -> None:
    """Print the rows of one text, and add them to the sums."""
    started = time.process_time()
    results = {"cortexfs": predict(annotated.text)}
    seconds = time.process_time() - started
    results |= {name: ask_peer(command, annotated.text) for name, command in commands.items()}
    for name, predicted in results.items():
        ours = name == "cortexfs"
        single: Counter[str] = Counter()
        measure(annotated, predicted, single, show=show and ours)
        sums.setdefault(name, Counter()).update(single)
        took = f"  {seconds:.2f} s" if ours else ""
        print(line(f"{annotated.name[:17]} {name}", single) + took, flush=True)


if __name__ == "__main__":
    main()
