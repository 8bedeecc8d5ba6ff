"""What ties two atoms: one names the other, and what it has written means that one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.atoms.lifecycle import IndexSection, parse_status
from cortexfs.core.atoms.refs import list_candidate_refs
from cortexfs.core.find.extract_links import TEXT_LINK, WIKI_LINK
from cortexfs.core.find.tokenize import fold_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    Tying = Callable[[Collection[Ref]], list["AtomLink"]]
    """Gives every tie that begins or ends at one of some atoms."""

PROSE_KINDS = frozenset({TEXT_LINK, WIKI_LINK})
"""Ways of naming an atom in passing; any other is a field of the frontmatter."""


class GraphNode(NamedTuple):
    """What is shown of an atom that is tied to another; empty of one that could not be read."""

    ref: Ref
    path: str
    kind: str = ""
    status: str = ""
    summary: str = ""

    @property
    def is_inactive(self) -> bool:
        """Tell whether it no longer stands: it is marked wherever it is shown."""
        return parse_status(self.status).section is not IndexSection.ACTIVE


class RawLink(NamedTuple):
    """A name that stands in an atom, and how: in which field, or in prose."""

    source: Ref
    kind: str
    cited: str
    line: int


class AtomLink(NamedTuple):
    """One atom names another: in which ways, and on which line first."""

    source: Ref
    target: Ref
    kinds: tuple[str, ...]
    line: int

    def other_end(self, ref: Ref) -> Ref:
        """Give the end that is not this one."""
        return self.target if ref == self.source else self.source


class NameLookup(NamedTuple):
    """Which refs there are, and which atoms bear a name; as many of both as are asked for."""

    refs: Collection[Ref]
    atoms_by_name: Mapping[str, Collection[GraphNode]]


def list_candidate_names(written: RawLink) -> tuple[str, ...]:
    """Give the refs, or names, that something written may mean; the first that is there does."""
    project, cited = written.source.rpartition("/")[0], written.cited
    if written.kind == WIKI_LINK:
        return (cited, cited.rpartition("/")[2])
    return list_candidate_refs(cited, project)


def resolve_link(written: RawLink, names: NameLookup) -> Ref | None:
    """Tell which atom something written means; None where there is no such, or several.

    A ref is that of the writer's project, then of the root. A wiki name is a ref, a file's
    name, a title or a summary: in the writer's project, at the root, or else the only one.
    """
    if written.kind == WIKI_LINK:
        return _borne(written, names)
    return next((Ref(ref) for ref in list_candidate_names(written) if ref in names.refs), None)


def _borne(written: RawLink, names: NameLookup) -> Ref | None:
    whole = written.cited in names.atoms_by_name
    project, _, name = ("", "", written.cited) if whole else written.cited.rpartition("/")
    known = names.atoms_by_name.get(name, ())
    for home in (project,) if project else (written.source.rpartition("/")[0], ""):
        within = [
            node for node in known if fold_text(node.ref.rpartition("/")[0]) == fold_text(home)
        ]
        if within:
            return min(within, key=lambda node: (_loosely(node, name), node.ref)).ref
    return None if project or len(known) != 1 else next(iter(known)).ref


def _loosely(node: GraphNode, name: str) -> int:
    """Tell how loosely a name fits: it is the ref, the file's name, or something said."""
    stem = node.path.rpartition("/")[2].removesuffix(".md")
    exact = (node.ref.rpartition("/")[2], stem)
    return next((rank for rank, said in enumerate(exact) if fold_text(said) == name), len(exact))


def resolve_links(
    written: Iterable[RawLink], names: NameLookup, ends: Collection[Ref]
) -> list[AtomLink]:
    """Give the ties that begin or end at some atoms, in order; no atom is tied to itself."""
    found: dict[tuple[Ref, Ref], list[RawLink]] = {}
    known: dict[tuple[str, str, bool], Ref | None] = {}
    for each in written:
        said = (each.source.rpartition("/")[0], each.cited, each.kind == WIKI_LINK)
        if said not in known:  # thousands may write the same name, and thousands bear it
            known[said] = resolve_link(each, names)
        target = known[said]
        if target and target != each.source and (target in ends or each.source in ends):
            found.setdefault((each.source, target), []).append(each)
    return [
        AtomLink(*pair, tuple(sorted({e.kind for e in each})), min(e.line for e in each))
        for pair, each in sorted(found.items())
    ]
