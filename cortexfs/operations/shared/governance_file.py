"""Change one governance file: read, splice, hold to its cap, commit it with what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.create_atom import plan_missing
from cortexfs.core.atoms.tree_paths import project_of
from cortexfs.core.changes.plan import Plan, Write
from cortexfs.core.checks.size_limits import cap_of
from cortexfs.core.governance.trim_hints import hold_to
from cortexfs.errors import AtomChanged, Unreadable
from cortexfs.operations.shared.derived_files import with_listings
from cortexfs.operations.shared.run_plan import carried_out

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.cortex import Cortex

    Change = Callable[[str], tuple[str, str]]
    """A text in; the text that it becomes out, and the message of the commit."""


class Governed(NamedTuple):
    """What became of a file, and what came of the plan (None: it was a dry run)."""

    path: str
    plan: Plan
    outcome: Outcome | None = None

    @property
    def changed(self) -> bool:
        """Tell whether there was anything to change."""
        return bool(self.plan.writes)

    @property
    def own_changes(self) -> bool:
        """Tell whether changes of the user's came into the commit with ours."""
        return self.outcome is not None and self.path in self.outcome.own_changes


def govern(
    cortex: Cortex, path: str, change: Change, *, dry_run: bool = False, commit: bool = True
) -> Governed:
    """Change one file and commit it whole, with the lists that follow from it.

    A file that is missing begins as its template. Raises `OverCap`, `Unreadable`, and what
    `change` raises.
    """

    def decide(view: Cortex) -> Governed:
        return Governed(path, _plan(view, path, change))

    return carried_out(cortex, decide, dry_run=dry_run, commit=commit)


def _plan(cortex: Cortex, path: str, change: Change) -> Plan:
    """Decide what a file is to say; nothing is written where it says so already."""
    before = present(cortex, path)
    after, message = change(before if before is not None else starting(cortex, path))
    if after == before:
        return Plan(message)
    hold_to(cap_of(path, cortex.settings.caps), path, before, after)
    return Plan(message, tuple(with_listings(cortex, [Write(path, after, before)])))


def present(cortex: Cortex, path: str) -> str | None:
    """Read a file; None where nothing stands there. Raises `Unreadable`."""
    if not cortex.tree.is_taken(path):
        return None
    read = cortex.tree.read(path)
    if isinstance(read, Flaw):
        raise Unreadable(f"{path}: {read.message}", hint="mend the file by hand first")
    return read.text


def shown(cortex: Cortex, path: str) -> str:
    """Read a file that is to be shown: as it would begin, where it is missing."""
    text = present(cortex, path)
    return starting(cortex, path) if text is None else text


def starting(cortex: Cortex, path: str) -> str:
    """Give the text that a governance file begins with; none where it has no template."""
    project = project_of(path)
    group, name = ("project", path.rpartition("/")[2]) if project else ("tree", path)
    text = cortex.tree.templates(group).get(name, "")
    words = {"project": project, "goal": "", "date": cortex.clock().date().isoformat()}
    return plan_missing({path: text}, {}, words)[0].text


def rewritten(path: str, before: str | None, text: str, message: str) -> Change:
    """Give the change that puts a text in place of the one that its author has seen.

    Raises `AtomChanged` where the file says something else by now; `before` None does not ask.
    """

    def change(now: str) -> tuple[str, str]:
        if before not in {None, now}:
            raise AtomChanged(path)
        return text, message

    return change
