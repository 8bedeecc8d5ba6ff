"""Commit files written by hand or by an agent: checked, indexed, with a generated message."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from fnmatch import fnmatchcase
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Finding
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import (
    BULLETIN_MD,
    INDEX_MD,
    is_access_log,
    parse_atom_path,
    project_from_path,
)
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, PlanOnlyResult
from cortexfs.core.checks.check_atoms import find_atom_findings
from cortexfs.core.checks.secrets import find_secrets, find_secrets_in_bytes
from cortexfs.core.checks.unreadable_file_codes import UNREADABLE_FILE_CODES
from cortexfs.core.status_change.fields_removed_by_hand import find_removed_fields
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import OutsideTree, Refused
from cortexfs.operations.shared.cortex_md_and_overview import drop_user_changes, plan_derived_writes
from cortexfs.operations.shared.edited_decisions import find_edited_decisions
from cortexfs.operations.shared.find_text_findings import find_text_findings
from cortexfs.operations.shared.resolve_revision import (
    iter_contents,
    require_committable_repository,
)
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.annotation_types import History
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View

BLOCKING_CODES = UNREADABLE_FILE_CODES.keys() | {"conflict-marker", "secret"}
"""A file with one of these findings is not committed: it is unreadable, or contains a secret."""
MAX_EXAMINED_BYTES = 4 * 1024 * 1024
"""Number of bytes at the beginning of a file of any type that are searched for secrets."""
MAX_COMMITTED_BYTES = 32 * 1024 * 1024
"""Maximum size of a file that is committed; git's stamps tell whether a larger one has changed."""
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
    typed_paths: Sequence[str],
    message: str | None,
    cwd: str,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> CommitReport:
    """Check, index and commit the changes since the last commit, in some paths or in all.

    Files that cannot be read, are too large, or contain conflict markers or a secret, are held
    back.
    """
    history = require_committable_repository(session)
    with session.read(NeededContents.FINDINGS) as view:
        chosen = [_to_tree_path(view, path, cwd) for path in typed_paths]
        changes = (path for path in history.list_changes() if path != BULLETIN_MD)
        every = [path for path in changes if _is_selected(path, chosen)]
        _require_known(view, chosen, every)
        skipped = tuple(path for path in every if _is_leftover(view, path))
        changed = [path for path in every if path not in skipped]
        findings, held_back = _check_changes(view, history, changed)
        paths = tuple(path for path in changed if path not in held_back)
        subject = message or to_one_line(_compose_message(view, paths))
    outcome = _commit_files(session, subject, paths, mode) if paths else None
    return CommitReport(paths, tuple(sorted(held_back)), findings, subject, outcome, skipped)


def _require_known(view: View, chosen: Sequence[str], changed: Sequence[str]) -> None:
    """Raise `Refused` for a path at which nothing is, and nothing was removed."""
    for path in chosen:
        if not (
            view.tree.is_path_taken(path) or any(_is_selected(each, [path]) for each in changed)
        ):
            raise Refused(f"{path!a} does not exist", hint="`cortexfs commit` commits all changes")


def _is_leftover(view: TreeFilesAndGit, path: str) -> bool:
    """Return whether an existing file is a leftover of a program; its removal may be committed."""
    name = path.rpartition("/")[2]
    return any(fnmatchcase(name, form) for form in LEFTOVER_PATTERNS) and view.tree.is_path_taken(
        path
    )


def _commit_files(
    session: Session, message: str, paths: tuple[str, ...], mode: ExecutionMode
) -> Outcome | None:
    folders_above = {path.rpartition("/")[0] for path in paths}
    folders = [
        path for path in folders_above if session.tree.is_folder(path)
    ]  # others were removed

    def decide(view: View) -> PlanOnlyResult:
        return PlanOnlyResult(_plan_commit(view, message, paths))

    return session.execute(decide, mode, render=lambda _: folders).outcome


def _plan_commit(view: TreeFilesAndGit, message: str, paths: tuple[str, ...]) -> Plan:
    """Return a plan that adopts files as they are, and updates the files derived from them."""
    active = [
        path for path in paths if not path.endswith(f"/{INDEX_MD}") and not is_access_log(path)
    ]
    writes, unknown = drop_user_changes(
        view, plan_derived_writes(view, {}, touched=active), own=paths
    )
    return Plan(message, tuple(writes), adopted_paths=paths, uncommitted_paths=unknown)


def _to_tree_path(view: TreeFilesAndGit, path: str, cwd: str) -> str:
    """Return the path below the root of a path typed by a person."""
    full = os.path.realpath(os.path.join(cwd, os.path.expanduser(path)))
    below = os.path.relpath(full, os.path.realpath(view.tree.root))
    if below == os.pardir or below.startswith(f"{os.pardir}{os.sep}"):
        raise OutsideTree(f"{path!a} is not in the tree")
    return "" if below == os.curdir else below


def _is_selected(path: str, chosen: Sequence[str]) -> bool:
    return not chosen or any(
        path == each or path.startswith(f"{each}/" if each else "") for each in chosen
    )


def _check_changes(
    view: View, history: History, changed: Sequence[str]
) -> tuple[tuple[Finding, ...], set[str]]:
    """Return the findings of the changed files, and the files that must be held back."""
    changed_paths, atoms = set(changed), view.stored_atoms
    every = chain(find_atom_findings(atoms, view.kinds), find_text_findings(view, atoms))
    findings = {found for found in every if found.path in changed_paths}
    changed_atoms = atoms.list_by_paths(changed_paths)
    findings.update(find_edited_decisions(view, changed_atoms))
    findings.update(_find_removed_fields(view, history, changed_atoms))
    known = {found.path for found in findings if found.code == "secret"}
    findings.update(_find_secrets(view, changed_paths - known))
    findings.update(_find_oversized(view, changed))
    own = sorted(f for f in findings if not f.path.endswith(f"/{INDEX_MD}"))
    return tuple(own), {found.path for found in own if found.code in BLOCKING_CODES}


def _find_secrets(view: View, paths: Collection[str]) -> Iterator[Finding]:
    """Yield the secrets in the names and contents of files that no other rule examines."""
    for path in sorted(paths):
        with suppress(OSError, OutsideTree):
            content = view.read_head(path, MAX_EXAMINED_BYTES)
            for flaw in find_secrets(path)[:1]:
                yield Finding(path, "secret", f"its name contains {flaw.message}")
            for flaw in find_secrets_in_bytes(content):
                yield Finding(path, *flaw)


def _find_oversized(view: TreeFilesAndGit, paths: Sequence[str]) -> Iterator[Finding]:
    """Yield the files that are too large to be read and committed."""
    for path in paths:
        with suppress(OSError, OutsideTree):
            if view.tree.stamp_file(path).size > MAX_COMMITTED_BYTES:
                yield Finding(path, "file-too-large", "over 32 MiB: it is not committed")


def _find_removed_fields(view: View, history: History, atoms: Iterable[Atom]) -> Iterator[Finding]:
    """Yield the fields that the changed atoms had in the last commit, and should not lose."""
    changed = [atom for atom in atoms if atom.fields]
    contents = iter_contents(history, [("HEAD", atom.path) for atom in changed])
    for atom, content in zip(changed, contents, strict=True):
        where = parse_atom_path(atom.path, view.kinds)
        if content is not None and where is not None:
            before = parse_atom(atom.path, where, content.decode(errors="replace"))
            for flaw in find_removed_fields(before, atom):
                yield Finding(atom.path, *flaw)


def _compose_message(view: TreeFilesAndGit, paths: Sequence[str]) -> str:
    """Return a message with the refs and paths that changed if they are few, else their counts."""
    atoms = {path: where for path in paths if (where := parse_atom_path(path, view.kinds))}
    others = [path for path in paths if path not in atoms and not path.endswith(f"/{INDEX_MD}")]
    if len(atoms) + len(others) <= MAX_NAMED_REFS:
        named = {
            p: f"{at.project}/{at.claimed_id or at.file_name}".strip("/") for p, at in atoms.items()
        }
        names = {path: named.get(path, path) for path in (*atoms, *others)}
        present = {path for path in names if view.tree.is_file(path)}
        kept = [name for path, name in names.items() if path in present]
        removed = [name for path, name in names.items() if path not in present]
        parts = [f"edit {', '.join(kept)}"] if kept else []
        parts += [f"remove {', '.join(removed)}"] if removed else []
        return ", ".join(parts) or "edit indexes"
    counts = Counter(where.kind.name for where in atoms.values())
    counts.update({"other file": len(others)} if others else {})
    counted = ", ".join(format_count(count, noun) for noun, count in sorted(counts.items()))
    projects = sorted({project for path in paths if (project := project_from_path(path))})
    return f"edit {counted}" + (f" in {', '.join(projects)}" if projects else "")
