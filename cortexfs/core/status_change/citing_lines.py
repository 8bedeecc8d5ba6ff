"""Who cites an atom, and where: whoever may have to hear that it has fallen."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.parse_atom import cites
from cortexfs.core.checks.check_atoms import RESTS_ON
from cortexfs.core.indexes.cortex_md import BEGIN, END
from cortexfs.core.markdown.sections import named, sections

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.atoms.atom import Atom, Ref

IMPACT = "Downstream Impact"
"""The section in which an experiment says who cites what it overturns."""


class Citing(NamedTuple):
    """A file that cites an atom, and in which lines; `atom` where it is one itself."""

    path: str
    text: str
    lines: tuple[int, ...]
    atom: Atom | None = None


def names(cited: str, project: str, ref: str) -> bool:
    """Tell whether what is cited in a project (empty: elsewhere) is the atom of this ref."""
    return cited == ref or bool(project and f"{project}/{cited}" == ref)


def rests_on(atom: Atom, ref: Ref) -> bool:
    """Tell whether an atom names another as what it rests on."""
    return any(names(word, atom.project, ref) for key in RESTS_ON for word in atom.words(key))


def seen_from(project: str, ref: str) -> str:
    """Say a ref as it is said in a project: short within its own."""
    return ref.removeprefix(f"{project}/") if project else ref


def lines_citing(text: str, project: str, ref: Ref) -> tuple[int, ...]:
    """Give the lines of a text that cite an atom.

    A Downstream Impact section and the generated part of a CORTEX.md only list what others say.
    """
    listed = [range(*_lines_of(text, *span)) for span in _listings(text)]
    found = (line for cited, line in cites(text) if names(cited, project, ref))
    return tuple(line for line in dict.fromkeys(found) if not any(line in span for span in listed))


def _listings(text: str) -> Iterator[tuple[int, int]]:
    if IMPACT.lower() in text.lower() and (section := named(sections(text), (IMPACT,))):
        yield section.start, section.end
    begin = text.find(BEGIN)
    if begin >= 0 and (end := text.find(END, begin)) >= 0:
        yield begin, end


def _lines_of(text: str, start: int, end: int) -> tuple[int, int]:
    first = text.count("\n", 0, start) + 1
    return first, first + text.count("\n", start, end) + (not text[:end].endswith("\n"))
