"""The files that cite an atom, and the lines: they may have to change with its status."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.evidence_refs import list_evidence_refs
from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.atoms.refs import can_refer_to
from cortexfs.core.indexes.cortex_md_contents import CONTENTS_BEGIN, CONTENTS_END
from cortexfs.core.markdown.sections import find_section, parse_sections

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.atoms.atom import Atom, Ref

IMPACT_HEADING = "Downstream Impact"
"""The section of an experiment that lists the citations of the atom that it refutes."""


class CitingFile(NamedTuple):
    """A file that cites an atom, and the line numbers; `atom` if the file is one itself."""

    path: str
    text: str
    lines: tuple[int, ...]
    atom: Atom | None = None


def is_based_on(atom: Atom, ref: Ref) -> bool:
    """Return whether the evidence of an atom includes another one."""
    return any(can_refer_to(cited, atom.project, ref) for cited, _ in list_evidence_refs(atom))


def find_citing_lines(text: str, project: str, ref: Ref) -> tuple[int, ...]:
    """Return the line numbers of a text that cite an atom.

    A Downstream Impact section and the generated part of a CORTEX.md are skipped, because they only
    list citations.
    """
    skipped = [range(*_to_line_range(text, *span)) for span in _find_generated_spans(text)]
    found = (line for cited, line in find_cited_refs(text) if can_refer_to(cited, project, ref))
    return tuple(line for line in dict.fromkeys(found) if not any(line in span for span in skipped))


def _find_generated_spans(text: str) -> Iterator[tuple[int, int]]:
    if IMPACT_HEADING.lower() in text.lower() and (
        section := find_section(parse_sections(text), (IMPACT_HEADING,))
    ):
        yield section.start, section.end
    begin = text.find(CONTENTS_BEGIN)
    if begin >= 0 and (end := text.find(CONTENTS_END, begin)) >= 0:
        yield begin, end


def _to_line_range(text: str, start: int, end: int) -> tuple[int, int]:
    first = text.count("\n", 0, start) + 1
    return first, first + text.count("\n", start, end) + (not text[:end].endswith("\n"))
