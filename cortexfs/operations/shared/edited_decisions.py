"""Find the decisions that were edited after their acceptance, by their git history."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Finding, Flaw
from cortexfs.core.atoms.lifecycle import EDITABLE_DECISION_STATUSES, parse_atom_status
from cortexfs.core.decisions.immutability import (
    DecisionVersion,
    find_accepted_version,
    find_changed_line,
    is_renaming_commit,
)
from cortexfs.errors import HistoryFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.session.annotation_types import CommitSummary, History
    from cortexfs.session.view import TreeFilesAndGit


class Acceptance(NamedTuple):
    """The commit that accepted a decision, and the first line that differs now (0: none)."""

    commit: CommitSummary
    changed_line: int


def find_edited_decisions(view: TreeFilesAndGit, atoms: Iterable[Atom]) -> Iterator[Finding]:
    """Yield a finding for each of some decisions that was edited after its acceptance."""
    paths = [atom.path for atom in atoms if _is_settled(view, atom)]
    for path, acceptance in find_acceptances(view, paths).items():
        if acceptance.changed_line:
            accepted = f"{acceptance.commit.commit[:10]} {acceptance.commit.when[:10]}"
            message = f"it differs from the text accepted in {accepted}"
            yield Finding(path, "decision-changed", message, acceptance.changed_line)


def find_acceptances(view: TreeFilesAndGit, paths: Sequence[str]) -> dict[str, Acceptance]:
    """Compare decisions with their text at acceptance, as far as git has it."""
    history = view.repository.history
    if history is None or not paths:
        return {}
    try:
        versions_by_path = _read_versions(history, paths)
    except HistoryFailed:  # nothing is known of the past of what git cannot read
        if len(paths) == 1:
            return {}
        each = (find_acceptances(view, [path]) for path in paths)
        return {path: acceptance for one in each for path, acceptance in one.items()}
    found = {}
    for path, versions in versions_by_path.items():
        source = view.tree.read_text_or_flaw(path)
        accepted = find_accepted_version(version for _, version in versions)
        if accepted and not isinstance(source, Flaw):
            commit = next(commit for commit, _ in versions if commit.commit == accepted.commit)
            found[path] = Acceptance(commit, find_changed_line(accepted.text, source.text) or 0)
    return found


def _is_settled(view: TreeFilesAndGit, atom: Atom) -> bool:
    kind = view.kinds.find_by_name(atom.kind)
    word = parse_atom_status(atom.text_field("status")).word
    return (
        bool(kind and kind.is_decision and atom.fields) and word not in EDITABLE_DECISION_STATUSES
    )


def _read_versions(
    history: History, paths: Sequence[str]
) -> Mapping[str, list[tuple[CommitSummary, DecisionVersion]]]:
    """Return the versions of each decision, the oldest first, under each name that it has had."""
    current_paths = {path: path for path in paths}
    wanted: list[tuple[str, CommitSummary, str]] = []
    for record in history.list_folder_commits(sorted({path.rpartition("/")[0] for path in paths})):
        for old, new in record.paths:
            if path := current_paths.pop(new, None):
                wanted.append((path, record.commit, new))
                current_paths[old] = path
    contents = history.read_contents([(commit.commit, name) for _, commit, name in wanted])
    found: dict[str, list[tuple[CommitSummary, DecisionVersion]]] = {path: [] for path in paths}
    for (path, commit, _), content in zip(reversed(wanted), reversed(contents), strict=True):
        if content is not None:
            text = content.decode(errors="replace")
            version = DecisionVersion(commit.commit, text, is_renaming_commit(commit.subject))
            found[path].append((commit, version))
    return found
