"""Commit files written by hand or by an agent: checked, indexed, with a generated message."""

from __future__ import annotations

import os
from collections import Counter
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import (
    INDEX_MD,
    is_access_log,
    parse_atom_path,
    project_from_path,
)
from cortexfs.core.changes.plan import Plan, PlanOnlyResult, WriteMode
from cortexfs.core.checks.check_atoms import check_atoms
from cortexfs.core.checks.finding_codes import UNREADABLE_CODES
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import OutsideTree, Refused
from cortexfs.operations.shared.derived_files import drop_user_changes, plan_derived_writes
from cortexfs.operations.shared.edited_decisions import find_edited_decisions
from cortexfs.operations.shared.resolve_revision import require_repository
from cortexfs.operations.shared.text_findings import find_text_findings
from cortexfs.session.view import IngestContents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.annotation_types import History
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeContext, View

BLOCKING_CODES = UNREADABLE_CODES | {"conflict-marker", "secret"}
"""A file with one of these findings is not committed: it is unreadable, or contains a secret."""
MAX_NAMED_REFS = 3
"""Maximum number of refs named in a message; further ones are counted."""


LEFTOVER_PATTERNS = ("*.orig", "*~", ".*.sw[a-p]", "#*#", ".DS_Store")
"""Name patterns of files that editors, merges and file managers leave behind."""


class CommitReport(NamedTuple):
    """The committed files, their findings, and the files that were held back.

    `leftovers` are files that other programs left behind; they are not committed.
    """

    paths: tuple[str, ...]
    held_back: tuple[str, ...]
    findings: tuple[Finding, ...]
    message: str
    outcome: Outcome | None
    leftovers: tuple[str, ...] = ()


def commit(
    session: Session,
    asked: Sequence[str],
    message: str | None,
    cwd: str,
    *,
    mode: WriteMode = WriteMode.COMMIT,
) -> CommitReport:
    """Check, index and commit the changes since the last commit, in the paths `asked` or in all.

    Files that cannot be read, or contain conflict markers or a secret, are held back.
    """
    history = _history(session)
    with session.read(IngestContents.FINDINGS) as view:
        wanted = [_below(view, path, cwd) for path in asked]
        every = [path for path in history.list_changes() if _is_wanted(path, wanted)]
        skipped = tuple(path for path in every if _is_leftover(view, path))
        changed = [path for path in every if path not in skipped]
        findings, held_back = _checked(view, changed)
        paths = tuple(path for path in changed if path not in held_back)
        said = message or to_one_line(_message(view, paths))
    outcome = _taken_in(session, said, paths, mode) if paths else None
    return CommitReport(paths, tuple(sorted(held_back)), findings, said, outcome, skipped)


def _is_leftover(view: TreeContext, path: str) -> bool:
    """Return whether an existing file is a leftover of a program; its removal may be committed."""
    name = path.rpartition("/")[2]
    return any(fnmatchcase(name, form) for form in LEFTOVER_PATTERNS) and view.tree.is_path_taken(
        path
    )


def _history(view: TreeContext) -> History:
    """Return the repository, if cortexfs may commit in it; raise `Refused` otherwise."""
    history = require_repository(view)
    if not view.repository.can_commit:
        raise Refused(
            f"the repository begins higher up, at {history.top}",
            hint="`commit-in:` in ~/.config/cortexfs/config.yaml allows it; see `cortexfs doctor`",
        )
    return history


def _taken_in(
    session: Session, message: str, paths: tuple[str, ...], mode: WriteMode
) -> Outcome | None:
    above = {path.rpartition("/")[0] for path in paths}
    folders = [path for path in above if session.tree.is_folder(path)]  # others are gone

    def decide(view: View) -> PlanOnlyResult:
        return PlanOnlyResult(_plan(view, message, paths))

    return session.execute(decide, mode, render=lambda _: folders).outcome


def _plan(view: TreeContext, message: str, paths: tuple[str, ...]) -> Plan:
    """Return a plan that adopts files as they are, and updates the files derived from them."""
    active = [
        path for path in paths if not path.endswith(f"/{INDEX_MD}") and not is_access_log(path)
    ]
    writes, unknown = drop_user_changes(
        view, plan_derived_writes(view, {}, touched=active), own=paths
    )
    return Plan(message, tuple(writes), adopted_paths=paths, uncommitted_paths=unknown)


def _below(view: TreeContext, path: str, cwd: str) -> str:
    """Return the path below the root of a path typed by a person."""
    full = os.path.realpath(os.path.join(cwd, os.path.expanduser(path)))
    below = os.path.relpath(full, os.path.realpath(view.tree.root))
    if below.startswith(os.pardir):
        raise OutsideTree(f"`{path!a}` is not in the tree")
    return "" if below == os.curdir else below


def _is_wanted(path: str, wanted: Sequence[str]) -> bool:
    return not wanted or any(not w or path == w or path.startswith(f"{w}/") for w in wanted)


def _checked(view: View, changed: Sequence[str]) -> tuple[tuple[Finding, ...], set[str]]:
    among, atoms = set(changed), view.queries.list_atoms()
    every = {*check_atoms(atoms, view.kinds), *find_text_findings(view, atoms)}
    every.update(find_edited_decisions(view, atoms, among))
    findings = sorted(f for f in every if f.path in among and not f.path.endswith(f"/{INDEX_MD}"))
    return tuple(findings), {found.path for found in findings if found.code in BLOCKING_CODES}


def _message(view: TreeContext, paths: Sequence[str]) -> str:
    """Return a message with the refs and paths that changed if they are few, else their counts."""
    atoms = {path: where for path in paths if (where := parse_atom_path(path, view.kinds))}
    others = [path for path in paths if path not in atoms and not path.endswith(f"/{INDEX_MD}")]
    if len(atoms) + len(others) <= MAX_NAMED_REFS:
        named = {
            p: f"{at.project}/{at.claimed_id or at.file_name}".strip("/") for p, at in atoms.items()
        }
        gone = [path for path in (*atoms, *others) if not view.tree.is_file(path)]
        kept = [named.get(path, path) for path in (*atoms, *others) if path not in gone]
        said = [f"edit {', '.join(kept)}"] if kept else []
        said += [f"remove {', '.join(named.get(path, path) for path in gone)}"] if gone else []
        return ", ".join(said) or "edit indexes"
    numbers = Counter(where.kind.name for where in atoms.values())
    numbers.update({"other file": len(others)} if others else {})
    what = ", ".join(format_count(number, noun) for noun, number in sorted(numbers.items()))
    projects = sorted({project for path in paths if (project := project_from_path(path))})
    within = f" in {', '.join(projects)}" if projects else ""
    return f"edit {what}{within}"
