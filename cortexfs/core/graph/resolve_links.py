"""What ties two atoms: one names the other, and what it has written means that one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.atoms.lifecycle import Section, read_status
from cortexfs.core.atoms.refs import candidates
from cortexfs.core.find.extract_links import TEXT, WIKI
from cortexfs.core.find.tokenize import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    Tying = Callable[[Collection[Ref]], list["Tie"]]
    """Gives every tie that begins or ends at one of some atoms."""

PROSE = frozenset({TEXT, WIKI})
"""Ways of naming an atom in passing; any other is a field of the frontmatter."""


class Node(NamedTuple):
    """What is shown of an atom that is tied to another; empty of one that could not be read."""

    ref: Ref
    path: str
    kind: str = ""
    status: str = ""
    summary: str = ""

    @property
    def past(self) -> bool:
        """Tell whether it no longer stands: it is marked wherever it is shown."""
        return read_status(self.status).section is not Section.ACTIVE


class Written(NamedTuple):
    """A name that stands in an atom, and how: in which field, or in prose."""

    source: Ref
    kind: str
    cited: str
    line: int


class Tie(NamedTuple):
    """One atom names another: in which ways, and on which line first."""

    source: Ref
    target: Ref
    kinds: tuple[str, ...]
    line: int

    def other(self, ref: Ref) -> Ref:
        """Give the end that is not this one."""
        return self.target if ref == self.source else self.source


class Names(NamedTuple):
    """Which refs there are, and which atoms bear a name; as many of both as are asked for."""

    refs: Collection[Ref]
    bearers: Mapping[str, Collection[Node]]


def wanted(written: Written) -> tuple[str, ...]:
    """Give the refs, or names, that something written may mean; the first that is there does."""
    project, cited = written.source.rpartition("/")[0], written.cited
    if written.kind == WIKI:
        return (cited, cited.rpartition("/")[2])
    return candidates(cited, project)


def meant(written: Written, names: Names) -> Ref | None:
    """Tell which atom something written means; None where there is no such, or several.

    A ref is that of the writer's project, then of the root. A wiki name is a ref, a file's
    name, a title or a summary: in the writer's project, at the root, or else the only one.
    """
    if written.kind == WIKI:
        return _borne(written, names)
    return next((Ref(ref) for ref in wanted(written) if ref in names.refs), None)


def _borne(written: Written, names: Names) -> Ref | None:
    whole = written.cited in names.bearers
    project, _, name = ("", "", written.cited) if whole else written.cited.rpartition("/")
    known = names.bearers.get(name, ())
    for home in (project,) if project else (written.source.rpartition("/")[0], ""):
        within = [node for node in known if fold(node.ref.rpartition("/")[0]) == fold(home)]
        if within:
            return min(within, key=lambda node: (_loosely(node, name), node.ref)).ref
    return None if project or len(known) != 1 else next(iter(known)).ref


def _loosely(node: Node, name: str) -> int:
    """Tell how loosely a name fits: it is the ref, the file's name, or something said."""
    stem = node.path.rpartition("/")[2].removesuffix(".md")
    exact = (node.ref.rpartition("/")[2], stem)
    return next((rank for rank, said in enumerate(exact) if fold(said) == name), len(exact))


def ties(written: Iterable[Written], names: Names, ends: Collection[Ref]) -> list[Tie]:
    """Give the ties that begin or end at some atoms, in order; no atom is tied to itself."""
    found: dict[tuple[Ref, Ref], list[Written]] = {}
    known: dict[tuple[str, str, bool], Ref | None] = {}
    for each in written:
        said = (each.source.rpartition("/")[0], each.cited, each.kind == WIKI)
        if said not in known:  # thousands may write the same name, and thousands bear it
            known[said] = meant(each, names)
        target = known[said]
        if target and target != each.source and (target in ends or each.source in ends):
            found.setdefault((each.source, target), []).append(each)
    return [
        Tie(*pair, tuple(sorted({e.kind for e in each})), min(e.line for e in each))
        for pair, each in sorted(found.items())
    ]
