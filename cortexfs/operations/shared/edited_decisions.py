"""Find the decisions that were edited after they had been accepted, by what git has of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Finding, Flaw
from cortexfs.core.atoms.lifecycle import OPEN, read_status
from cortexfs.core.decisions.immutability import Version, accepted_as, changed_at
from cortexfs.errors import HistoryFailed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.session.types import Commit, History
    from cortexfs.session.view import FileView


class Held(NamedTuple):
    """The commit that accepted a decision, and the line at which it differs now (0: none)."""

    made: Commit
    line: int


def edited_decisions(
    view: FileView, atoms: Iterable[Atom], among: Collection[str] | None = None
) -> Iterator[Finding]:
    """Find what was edited after it was accepted, of all decisions or those `among` some paths."""
    paths = [atom.path for atom in atoms if _is_settled(view, atom)]
    wanted = [path for path in paths if among is None or path in among]
    for path, held in held_to(view, wanted).items():
        if held.line:
            accepted = f"{held.made.commit[:10]} {held.made.when[:10]}"
            message = f"it does not say what was accepted by {accepted} any more"
            yield Finding(path, "decision-changed", message, held.line)


def held_to(view: FileView, paths: Sequence[str]) -> dict[str, Held]:
    """Hold decisions to what they said when they were accepted, as far as git knows."""
    history = view.repository.history
    if history is None or not paths:
        return {}
    try:
        known = _versions(history, paths)
    except HistoryFailed:  # a repository that cannot be read: nothing is known of the past
        return {}
    found = {}
    for path, told in known.items():
        source = view.tree.read(path)
        then = accepted_as(version for _, version in told)
        if then and not isinstance(source, Flaw):
            made = next(made for made, version in told if version is then)
            found[path] = Held(made, changed_at(then.text, source.text) or 0)
    return found


def _is_settled(view: FileView, atom: Atom) -> bool:
    kind = view.kinds.named(atom.kind)
    word = read_status(atom.text("status")).word
    return bool(kind and kind.decides and atom.fields) and word not in OPEN


def _versions(history: History, paths: Sequence[str]) -> Mapping[str, list[tuple[Commit, Version]]]:
    """Give what each decision has said, the oldest first, under each name that it has had."""
    called = {path: path for path in paths}
    wanted: list[tuple[str, Commit, str]] = []
    for step in history.pasts(sorted({path.rpartition("/")[0] for path in paths})):
        for old, new in step.paths:
            if path := called.pop(new, None):
                wanted.append((path, step.made, new))
                called[old] = path
    contents = history.contents([(made.commit, name) for _, made, name in wanted])
    found: dict[str, list[tuple[Commit, Version]]] = {path: [] for path in paths}
    for (path, made, _), content in zip(reversed(wanted), reversed(contents), strict=True):
        if content is not None:
            version = Version(made.commit, content.decode(errors="replace"))
            found[path].append((made, version))
    return found
