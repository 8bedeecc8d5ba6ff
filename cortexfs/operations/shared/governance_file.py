"""Change one governance file: read, edit, check its size limit, commit with derived files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.create_atom import plan_missing_files
from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Write, attach_outcome
from cortexfs.core.checks.size_limits import find_cap
from cortexfs.core.governance.trim_hints import require_within_cap
from cortexfs.errors import AtomChanged, Unreadable
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View

    Change = Callable[[str], tuple[str, str]]
    """A function from a text to the new text and the message of the commit."""


MAX_CHARACTERS = 4 * 1024 * 1024
"""Maximum characters of a governance file that is parsed; `check` reports larger ones."""


class GovernanceChangeResult(NamedTuple):
    """A changed file, and the outcome of the plan (None: it was a dry run)."""

    path: str
    plan: Plan
    outcome: Outcome | None = None

    @property
    def changed(self) -> bool:
        """Return whether anything changed."""
        return bool(self.plan.writes)

    @property
    def own_changes(self) -> bool:
        """Return whether the commit includes the user's own changes."""
        return self.outcome is not None and self.path in self.outcome.own_changes


def change_governance_file(
    session: Session, path: str, change: Change, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> GovernanceChangeResult:
    """Change one file and commit it whole, with the lists derived from it.

    A missing file starts as its template. Raises `OverCap`, `Unreadable`, and the errors of
    `change`.
    """

    def decide(view: View) -> GovernanceChangeResult:
        return GovernanceChangeResult(path, _plan_change(view, path, change))

    return attach_outcome(session.execute(decide, mode))


def _plan_change(view: TreeFilesAndGit, path: str, change: Change) -> Plan:
    """Return the plan of a file's new text; empty if the text is unchanged."""
    before = read_present(view, path)
    after, message = change(before if before is not None else render_template(view, path))
    if after == before:
        return Plan(message)
    require_within_cap(find_cap(path, view.settings.caps), path, before, after)
    return Plan(message, tuple(add_derived_writes(view, [Write(path, after, before)])))


def read_present(view: TreeFilesAndGit, path: str) -> str | None:
    """Return a file's text; None if it does not exist. Raises `Unreadable`."""
    if not view.tree.is_path_taken(path):
        return None
    read = view.tree.read_text_or_flaw(path)
    if isinstance(read, Flaw):
        raise Unreadable(f"{path}: {read.message}", hint="fix the file by hand first")
    if len(read.text) > MAX_CHARACTERS:
        raise Unreadable(f"{path}: over 4 MiB", hint="shorten the file by hand first")
    return read.text


def read_or_template(view: TreeFilesAndGit, path: str) -> str:
    """Return the text of a file to show; its template if it is missing."""
    text = read_present(view, path)
    return render_template(view, path) if text is None else text


def render_template(view: TreeFilesAndGit, path: str) -> str:
    """Return the initial text of a governance file; empty if it has no template."""
    project = project_from_path(path)
    group, name = ("project", path.rpartition("/")[2]) if project else ("tree", path)
    text = view.tree.read_templates(group).get(name, "")
    words = {"project": project, "goal": "", "date": view.clock().date().isoformat()}
    return plan_missing_files({path: text}, {}, words)[0].text


def make_replacement(path: str, before: str | None, text: str, message: str) -> Change:
    """Return a change that replaces the text that its author has seen.

    It raises `AtomChanged` if the file's text differs by now; with `before` None it does not check.
    """

    def change(now: str) -> tuple[str, str]:
        if before not in {None, now}:
            raise AtomChanged(path)
        return text, message

    return change
