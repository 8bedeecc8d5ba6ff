"""Rewrite the references to one of several atoms with the same id, if history decides them."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.renaming.rewrite import find_renamed_names, rewrite_names
from cortexfs.core.renaming.twins import (
    UNKNOWN,
    Creation,
    assign_creations,
    find_certain_owner,
    find_owner,
)
from cortexfs.core.text.line_diff import match_lines
from cortexfs.errors import HistoryFailed, Refused
from cortexfs.operations.shared.rename_plan import iter_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.renaming.rewrite import RenameContext
    from cortexfs.core.renaming.scan import NameInText
    from cortexfs.session.annotation_types import LineHistory
    from cortexfs.session.view import View

    Owners = dict[tuple[str, NameInText], str]

_MAX_CREATIONS = 100
"""Maximum number of files of the past with the id; with more, history decides nothing."""


class RewrittenText(NamedTuple):
    """A text before and after, and the lines with a name that may mean another atom."""

    old: str
    new: str
    open_lines: tuple[int, ...]


def rewrite_twin_refs(
    view: View, atom: Atom, twins: Sequence[Atom], context: RenameContext
) -> dict[str, RewrittenText]:
    """Return the texts that name `atom` or a twin of it, by path; what means `atom` is renamed."""
    needles = {atom.ref.rpartition("/")[2], *(each.file_name[:-3] for each in twins)}
    texts = dict(sorted(iter_texts(view, needles)))
    found = {path: find_renamed_names(text, path, context) for path, text in texts.items()}
    owners = {
        (path, name): find_certain_owner(name, texts[path][name.start : name.end], path, twins)
        for path, names in found.items()
        for name in names
    }
    with suppress(HistoryFailed):  # an unreadable repository decides nothing
        owners |= _decide_by_history(view, twins, texts, owners)
    return {
        path: _rewrite_text(
            texts[path], path, {name: owners[path, name] for name in names}, atom, context
        )
        for path, names in found.items()
        if names
    }


def _rewrite_text(
    text: str, path: str, owners: Mapping[NameInText, str], atom: Atom, context: RenameContext
) -> RewrittenText:
    chosen = {name for name, owner in owners.items() if owner == atom.path}
    try:
        new = rewrite_names(text, path, context, chosen)
    except Refused:  # another name would change its meaning
        new, chosen = text, set()
    kept = (name for name in owners if name not in chosen)
    is_open = (
        name for name in kept if owners[name] in {UNKNOWN, atom.path} or name.target == atom.path
    )
    return RewrittenText(text, new, tuple(sorted({_find_line(text, name) for name in is_open})))


def _decide_by_history(
    view: View, twins: Sequence[Atom], texts: Mapping[str, str], owners: Owners
) -> Owners:
    """Return the twin that each undecided name means, if its line is from before the merge."""
    past = view.repository.history and view.repository.history.open_line_history()
    descendants = _find_descendants(view, past, twins) if past else {}
    undecided = [key for key, owner in owners.items() if owner == UNKNOWN]
    if not past or not descendants or not undecided:
        return {}
    commits = dict[tuple[str, int], str]()
    for path, content, by_line in past.trace_files(list(dict.fromkeys(p for p, _ in undecided))):
        lines = content.decode("utf-8", "replace").split("\n")
        for old, new in match_lines(lines, texts[path].split("\n")):
            commits[path, new + 1] = by_line.get(old + 1, "")
    return {
        (path, name): find_owner(
            commits.get((path, _find_line(texts[path], name)), ""), descendants
        )
        for path, name in undecided
    }


def _find_descendants(
    view: View, past: LineHistory, twins: Sequence[Atom]
) -> dict[str, frozenset[str]]:
    """Return the commits after the creation of each twin; none if one is not in the history."""
    creations = _list_creations(view, past, twins)
    owners = assign_creations(creations, twins)
    if not {twin.path for twin in twins} <= set(owners):
        return {}
    found: dict[str, frozenset[str]] = defaultdict(frozenset)
    for creation, owner in zip(creations, owners, strict=True):
        found[owner] |= past.list_descendants(creation.commit)
    return found


def _list_creations(view: View, past: LineHistory, twins: Sequence[Atom]) -> list[Creation]:
    """List the commits that added a file with the id of the twins, or at the path of one."""
    paths, number = {twin.path for twin in twins}, twins[0].ref.rpartition("-")[2]
    wanted = [
        (commit, path, place)
        for commit, path in past.list_additions(twins[0].path.rpartition("/")[0])
        if (path in paths or number in path) and (place := parse_atom_path(path, view.kinds))
    ]
    history = view.repository.history
    if history is None or len(wanted) > _MAX_CREATIONS:
        return []
    contents = history.read_contents([(commit, path) for commit, path, _ in wanted])
    found = [
        Creation(commit, parse_atom(path, place, (content or b"").decode("utf-8", "replace")))
        for (commit, path, place), content in zip(wanted, contents, strict=True)
    ]
    return [each for each in found if each.atom.path in paths or each.atom.ref == twins[0].ref]


def _find_line(text: str, name: NameInText) -> int:
    return text.count("\n", 0, name.start) + 1
