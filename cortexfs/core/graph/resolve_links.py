"""Resolve links: which atom a name in another atom refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.atoms.lifecycle import IndexMdSection, parse_atom_status
from cortexfs.core.atoms.refs import list_candidate_refs
from cortexfs.core.find.extract_links import TEXT_LINK, WIKI_LINK
from cortexfs.core.find.tokenize import fold_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    FindLinks = Callable[[Collection[Ref]], list["AtomLink"]]
    """A function that returns every link from or to any of the given atoms."""

PROSE_KINDS = frozenset({TEXT_LINK, WIKI_LINK})
"""Kinds of links in prose; all others are fields of the frontmatter."""


class LinkedAtom(NamedTuple):
    """What is shown of a linked atom; its fields are empty if it could not be read."""

    ref: Ref
    path: str
    kind: str = ""
    status: str = ""
    summary: str = ""

    @property
    def is_inactive(self) -> bool:
        """Whether the atom is no longer current: it is marked wherever it is shown."""
        return parse_atom_status(self.status).section is not IndexMdSection.ACTIVE


class RawLink(NamedTuple):
    """A name written in an atom, and its kind: the field, or prose."""

    source: Ref
    kind: str
    cited: str
    line: int


class AtomLink(NamedTuple):
    """A link from one atom to another: its kinds, and the first line with it."""

    source: Ref
    target: Ref
    kinds: tuple[str, ...]
    line: int

    def other_end(self, ref: Ref) -> Ref:
        """Return the other end of the link."""
        return self.target if ref == self.source else self.source


class NameLookup(NamedTuple):
    """The known refs, and the atoms with each name; only those that were asked for."""

    refs: Collection[Ref]
    atoms_by_name: Mapping[str, Collection[LinkedAtom]]


def list_candidate_names(written: RawLink) -> tuple[str, ...]:
    """Return the refs or names that a written name may refer to, in order of preference."""
    project, cited = written.source.rpartition("/")[0], written.cited
    if written.kind == WIKI_LINK:
        return (cited, cited.rpartition("/")[2])
    return list_candidate_refs(cited, project)


def resolve_link(written: RawLink, names: NameLookup) -> Ref | None:
    """Return the atom that a written name refers to; None if there is none, or several.

    A ref is looked up in the writer's project, then in the root. A wiki name is a ref, a file name,
    a title or a summary: in the writer's project, at the root, or else the only match.
    """
    if written.kind == WIKI_LINK:
        return _resolve_wiki_name(written, names)
    return next((Ref(ref) for ref in list_candidate_names(written) if ref in names.refs), None)


def _resolve_wiki_name(written: RawLink, names: NameLookup) -> Ref | None:
    is_whole_name = written.cited in names.atoms_by_name
    project, _, name = ("", "", written.cited) if is_whole_name else written.cited.rpartition("/")
    candidates = names.atoms_by_name.get(name, ())
    for home in (project,) if project else (written.source.rpartition("/")[0], ""):
        in_home = [
            node for node in candidates if fold_text(node.ref.rpartition("/")[0]) == fold_text(home)
        ]
        if in_home:
            return min(in_home, key=lambda node: (_rank_name_match(node, name), node.ref)).ref
    return None if project or len(candidates) != 1 else next(iter(candidates)).ref


def _rank_name_match(node: LinkedAtom, name: str) -> int:
    """Return the rank of a match: 0 for the ref, 1 for the file name, 2 for a title or summary."""
    stem = node.path.rpartition("/")[2].removesuffix(".md")
    exact = (node.ref.rpartition("/")[2], stem)
    return next((rank for rank, each in enumerate(exact) if fold_text(each) == name), len(exact))


def resolve_links(
    written: Iterable[RawLink], names: NameLookup, ends: Collection[Ref]
) -> list[AtomLink]:
    """Return the links from or to some atoms, sorted; links of an atom to itself are left out."""
    found: dict[tuple[Ref, Ref], list[RawLink]] = {}
    resolved: dict[tuple[str, str, bool], Ref | None] = {}
    for raw in written:
        key = (raw.source.rpartition("/")[0], raw.cited, raw.kind == WIKI_LINK)
        if key not in resolved:  # thousands may write the same name, and thousands may have it
            resolved[key] = resolve_link(raw, names)
        target = resolved[key]
        if target and target != raw.source and (target in ends or raw.source in ends):
            found.setdefault((raw.source, target), []).append(raw)
    return [
        AtomLink(*pair, tuple(sorted({raw.kind for raw in each})), min(raw.line for raw in each))
        for pair, each in sorted(found.items())
    ]
