"""Commit what was written by hand or by an agent: checked, indexed, and said what changed."""

from __future__ import annotations

import os
from collections import Counter
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import INDEX, is_log, place, project_of
from cortexfs.core.changes.plan import Mode, Plan, Planned
from cortexfs.core.checks.check_atoms import check
from cortexfs.core.checks.finding_codes import UNREADABLE
from cortexfs.core.text.plural import counted
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import OutsideTree, Refused
from cortexfs.operations.shared.derived_files import following, left_alone
from cortexfs.operations.shared.edited_decisions import edited_decisions
from cortexfs.operations.shared.resolve_revision import history_of
from cortexfs.operations.shared.text_findings import examine
from cortexfs.session.view import Intake

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session
    from cortexfs.session.types import History
    from cortexfs.session.view import FileView, View

HELD_BACK = UNREADABLE | {"conflict-marker", "secret"}
"""A file with one of these is not committed: it could not be read again, or never be forgotten."""
NAMED = 3
"""So many refs are named in a message; more are counted."""


LEFTOVERS = ("*.orig", "*~", ".*.sw[a-p]", "#*#", ".DS_Store")
"""What editors, merges and file managers leave behind, by the patterns of its names."""


class Committed(NamedTuple):
    """What went in, what the check says of it, and what was held back for that.

    `skipped` are leftovers of other programs.
    """

    paths: tuple[str, ...]
    held_back: tuple[str, ...]
    findings: tuple[Finding, ...]
    message: str
    outcome: Outcome | None
    skipped: tuple[str, ...] = ()


def commit(
    session: Session,
    asked: Sequence[str],
    message: str | None,
    cwd: str,
    *,
    mode: Mode = Mode.COMMIT,
) -> Committed:
    """Check, index and commit what differs from the last commit, of `asked` or of all.

    What cannot be read, or holds conflict markers or a secret, is held back.
    """
    history = _history(session)
    with session.read(Intake.FINDINGS) as view:
        wanted = [_below(view, path, cwd) for path in asked]
        every = [path for path in history.all_changes() if _is_wanted(path, wanted)]
        skipped = tuple(path for path in every if _is_leftover(view, path))
        changed = [path for path in every if path not in skipped]
        findings, held_back = _checked(view, changed)
        paths = tuple(path for path in changed if path not in held_back)
        said = message or one_line(_message(view, paths))
    outcome = _taken_in(session, said, paths, mode) if paths else None
    return Committed(paths, tuple(sorted(held_back)), findings, said, outcome, skipped)


def _is_leftover(view: FileView, path: str) -> bool:
    """Tell whether a file was left behind by a program; one that is gone may be committed so."""
    name = path.rpartition("/")[2]
    return any(fnmatchcase(name, form) for form in LEFTOVERS) and view.tree.is_taken(path)


def _history(view: FileView) -> History:
    """Give the repository, where we may commit in it; raises `Refused` elsewhere."""
    history = history_of(view)
    if not view.repository.commits:
        raise Refused(
            f"the repository begins higher up, at {history.top}",
            hint="`commit-in:` in ~/.config/cortexfs/config.yaml allows it; see `cortexfs doctor`",
        )
    return history


def _taken_in(session: Session, message: str, paths: tuple[str, ...], mode: Mode) -> Outcome | None:
    above = {path.rpartition("/")[0] for path in paths}
    folders = [path for path in above if session.tree.is_folder(path)]  # others are gone

    def decide(view: View) -> Planned:
        return Planned(_plan(view, message, paths))

    return session.execute(decide, mode, render=lambda _: folders).outcome


def _plan(view: FileView, message: str, paths: tuple[str, ...]) -> Plan:
    """Take files in as they are, but for the parts of them that follow from others."""
    active = [path for path in paths if not path.endswith(f"/{INDEX}") and not is_log(path)]
    writes, unknown = left_alone(view, following(view, {}, touched=active), own=paths)
    return Plan(message, tuple(writes), adopted=paths, uncommitted=unknown)


def _below(view: FileView, path: str, cwd: str) -> str:
    """Say where a path typed by a person lies below the root."""
    full = os.path.realpath(os.path.join(cwd, os.path.expanduser(path)))
    below = os.path.relpath(full, os.path.realpath(view.tree.root))
    if below.startswith(os.pardir):
        raise OutsideTree(f"`{path!a}` is not in the tree")
    return "" if below == os.curdir else below


def _is_wanted(path: str, wanted: Sequence[str]) -> bool:
    return not wanted or any(not w or path == w or path.startswith(f"{w}/") for w in wanted)


def _checked(view: View, changed: Sequence[str]) -> tuple[tuple[Finding, ...], set[str]]:
    among, atoms = set(changed), view.facts.atoms()
    every = {*check(atoms, view.kinds), *examine(view, atoms)}
    every.update(edited_decisions(view, atoms, among))
    findings = sorted(f for f in every if f.path in among and not f.path.endswith(f"/{INDEX}"))
    return tuple(findings), {found.path for found in findings if found.code in HELD_BACK}


def _message(view: FileView, paths: Sequence[str]) -> str:
    """Say what changed: refs and paths where they are few, else how many of what."""
    atoms = {path: where for path in paths if (where := place(path, view.kinds))}
    others = [path for path in paths if path not in atoms and not path.endswith(f"/{INDEX}")]
    if len(atoms) + len(others) <= NAMED:
        named = {p: f"{at.project}/{at.claimed or at.name}".strip("/") for p, at in atoms.items()}
        gone = [path for path in (*atoms, *others) if not view.tree.is_file(path)]
        kept = [named.get(path, path) for path in (*atoms, *others) if path not in gone]
        said = [f"edit {', '.join(kept)}"] if kept else []
        said += [f"remove {', '.join(named.get(path, path) for path in gone)}"] if gone else []
        return ", ".join(said) or "edit indexes"
    numbers = Counter(where.kind.name for where in atoms.values())
    numbers.update({"other file": len(others)} if others else {})
    what = ", ".join(counted(number, noun) for noun, number in sorted(numbers.items()))
    projects = sorted({project for path in paths if (project := project_of(path))})
    within = f" in {', '.join(projects)}" if projects else ""
    return f"edit {what}{within}"
