"""Findings that depend on one text only, so they are computed once per content."""

from __future__ import annotations

from typing import NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.conflict_markers import find_conflict_markers
from cortexfs.core.checks.broken_links import LinkTarget, parse_link_targets
from cortexfs.core.checks.citation_checksums import LineCitation, parse_citations
from cortexfs.core.checks.secrets import find_secrets
from cortexfs.core.checks.unsourced_numbers import find_unsourced_numbers
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.indexes.cortex_md_contents import CONTENTS_BEGIN, CONTENTS_END


class TextFindings(NamedTuple):
    """The flaws of one text, its citations with checksums, and its link targets."""

    flaws: tuple[Flaw, ...] = ()
    citations: tuple[LineCitation, ...] = ()
    links: tuple[LinkTarget, ...] = ()


def examine_atom(text: str) -> TextFindings:
    """Return an atom's citations, links, secrets, conflict markers and unsourced numbers."""
    body = atom_text.split_front_and_body(text)[1]
    first = text.count("\n", 0, len(text) - len(body)) + 1
    claims = (
        Flaw("no-provenance", f"`{claim.figure}` has no source", claim.line)
        for claim in find_unsourced_numbers(body, first)
    )
    links = tuple(link._replace(line=link.line + first - 1) for link in parse_link_targets(body))
    return TextFindings(
        (*find_secrets(text), *find_conflict_markers(text), *claims), parse_citations(text), links
    )


def examine_non_atom(text: str, *, is_markdown: bool = True) -> TextFindings:
    """Return the citations, links, secrets and conflict markers of any other text."""
    links = parse_link_targets(_blank_contents(text)) if is_markdown else ()
    return TextFindings(
        (*find_secrets(text), *find_conflict_markers(text)), parse_citations(text), links
    )


def examine_index(text: str) -> TextFindings:
    """Return the conflict markers of an index; the rest is derived from its atoms."""
    return TextFindings(find_conflict_markers(text))


def _blank_contents(text: str) -> str:
    """Return a text with empty lines for the generated list of a CORTEX.md.

    A broken link in it means that the list is out of date, which is a finding of its own.
    """
    head, begin, rest = text.partition(CONTENTS_BEGIN)
    contents, end, tail = rest.partition(CONTENTS_END)
    return head + "\n" * contents.count("\n") + tail if begin and end else text
