"""Read a text, print what spaCy names in it as [name, type, mentions]; the argument: a model."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter

import spacy

_TYPES = {
    "PERSON": "character",
    "GPE": "location",
    "LOC": "location",
    "FAC": "location",
    "ORG": "faction",
}
_TITLE = r"(?:Mr|Mrs|Miss|Ms|Dr|Sir|Lady|Lord|Captain|Colonel|Aunt|Uncle)\.? "


def main() -> None:
    """Print the counts as JSON."""
    model = spacy.load(sys.argv[1])
    model.max_length = 10_000_000
    text = re.sub(r"(?<!\n)\n(?!\n)", " ", sys.stdin.read())
    pieces = re.findall(r"(?s).{1,50000}(?:\n\n|$)|.{1,50000}", text)
    counts: Counter[tuple[str, str]] = Counter()
    for piece in pieces:
        for found in model(piece).ents:
            if found.label_ in _TYPES:
                name = found.text
                before = piece[max(0, found.start_char - 10) : found.start_char]
                title = re.search(_TITLE + "$", before)
                if title and found.label_ == "PERSON":
                    name = title[0] + name
                counts[(name.strip(), _TYPES[found.label_])] += 1
    best: dict[str, tuple[str, int]] = {}
    for (name, kind), count in sorted(counts.items()):
        known = best.get(name)
        best[name] = (
            (kind, count)
            if known is None
            else max((kind, known[1] + count), known, key=lambda item: item[1])
        )
    print(json.dumps([[name, kind, count] for name, (kind, count) in best.items()]))


if __name__ == "__main__":
    main()
