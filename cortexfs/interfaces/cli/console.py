"""How the command line speaks: data on stdout, talk on stderr, nothing that a terminal obeys."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from cortexfs.core.text.sanitize import one_line, printable
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.changes.plan import Outcome, Plan
    from cortexfs.errors import CortexError
    from cortexfs.session.session import Session
    from cortexfs.tree.cited_files import Sources

FORMAT = 1
SLOW_S = 2.0
"""A command that takes longer shows how far it is."""


def clock() -> datetime:
    """Give the time: `CORTEXFS_NOW` (ISO 8601) where a demonstration wants a fixed one."""
    if not (fixed := os.environ.get("CORTEXFS_NOW")):
        return datetime.now(UTC)
    try:
        return datetime.fromisoformat(fixed).astimezone(UTC)
    except ValueError:
        hint = "unset it, or write 2026-05-06T20:31"
        raise Refused("CORTEXFS_NOW is no time", hint=hint) from None


def cwd() -> str:
    """Give the working directory; where that has been removed, `/`."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return os.sep


def root(asked: str | None) -> str:
    """Give the root that a command means."""
    from cortexfs.tree.locate import root_of

    return root_of(asked or _BEFORE.root, os.environ, cwd())


class _Before:
    """What was said before the command's name."""

    root: str | None = None
    quiet: bool = False
    command: str = ""


_BEFORE = _Before()


def remember(root: str | None, *, quiet: bool, command: str) -> None:
    """Keep the options that stand before the command, and its name."""
    _BEFORE.root, _BEFORE.quiet, _BEFORE.command = root, quiet, command


def session(asked: str | None) -> Session:
    """Open the tree that a command means."""
    from cortexfs.session.session import Session

    opened = Session.open(root(asked), clock, f"cortexfs {_BEFORE.command}".strip())
    opened.wait_s = _lock_wait(opened.wait_s)
    if sys.stderr.isatty():
        from cortexfs.interfaces.cli.progress import bar

        opened.reader.progress = bar()
    return opened


def _lock_wait(usual: float) -> float:
    """Return how many seconds a locked tree is waited for: `CORTEXFS_LOCK_WAIT`, or as usual."""
    if not (typed := os.environ.get("CORTEXFS_LOCK_WAIT")):
        return usual
    try:
        return min(max(float(typed), 0.0), 86_400.0)
    except ValueError:
        raise Refused("CORTEXFS_LOCK_WAIT is no number of seconds", hint="unset it") from None


def sources(session: Session) -> Sources:
    """Give where the files that atoms cite are to be found."""
    from cortexfs.tree.cited_files import sources

    return sources(os.environ, cwd(), session.tree.root)


class Voice(NamedTuple):
    """One command's way of speaking."""

    as_json: bool = False
    quiet: bool = False

    def data(self, text: str) -> None:
        """Print what was asked for."""
        if not self.as_json:
            sys.stdout.write(printable(text).rstrip("\n") + "\n")
            sys.stdout.flush()  # `watch` is read as it goes

    def lines(self, *texts: str) -> None:
        """Print texts, each on a line of its own whatever it holds."""
        self.data("\n".join(map(one_line, texts)))

    def talk(self, text: str) -> None:
        """Say something beside it."""
        if not (self.quiet or _BEFORE.quiet or self.as_json):
            sys.stderr.write(f"{one_line(text)}\n")

    def document(self, **content: object) -> None:
        """Print the one JSON document; what is None is absent."""
        if self.as_json:
            import json

            kept = {key: value for key, value in content.items() if value is not None}
            sys.stdout.write(json.dumps({"format": FORMAT, **kept}, ensure_ascii=True) + "\n")
            sys.stdout.flush()

    def table(self, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print rows: a rich table on a terminal, columns parted by tabs elsewhere."""
        if self.as_json:
            return
        cells = [[one_line(cell) for cell in row] for row in rows]
        if cells and sys.stdout.isatty():
            from cortexfs.interfaces.cli.rich_table import show

            show(heads, cells)
        else:
            sys.stdout.write("".join("\t".join(row) + "\n" for row in cells))

    def none(self, said: str) -> NoReturn:
        """Say that there is nothing of the kind, and end with 1: the honest answer is no."""
        from typer import Exit

        self.talk(said)
        raise Exit(1)

    def unreadable(self, count: int) -> None:
        """Say that some files were passed over, if there are any."""
        if count:
            from cortexfs.core.text.plural import counted

            files = counted(count, "file")
            self.talk(f"{files} cannot be read, and had to be left out: see `cortexfs check`")

    def plan(self, plan: Plan) -> None:
        """Show what would be done."""
        self.preview(plan.summary, dict(diffs(plan)))

    def preview(self, summary: str, changes: Mapping[str, str]) -> None:
        """Show what would be done, as a diff for each path."""
        writes = [{"path": path, "diff": diff} for path, diff in changes.items() if diff]
        self.document(plan={"summary": summary, "writes": writes})
        self.data("".join(write["diff"] for write in writes) or "nothing to do")

    def done(
        self,
        plan: Plan,
        outcome: Outcome | None,
        said: Mapping[str, object],
        *,
        changed: bool = True,
    ) -> bool:
        """Show what a dry run would do, or the document of what was done; tell whether it was.

        Where nothing had to be `changed` the document names no commit.
        """
        if outcome is None:
            self.plan(plan)
            return False
        self.outcome(outcome)
        self.document(**said, commit=last_commit(outcome) if changed else None)
        return True

    def outcome(self, outcome: Outcome | None) -> None:
        """Say what a person should know of what was done, beside the answer itself."""
        if outcome is None:
            return
        for finding in outcome.blocked:
            self.talk(f"{finding.path}: {finding.message}")
        for path in outcome.kept:
            self.talk(f"what stood there, and git does not have, is kept as {path}")
        if outcome.waiting:
            self.talk(f"not committed: {outcome.waiting}; the next quiet command commits it")


def diffs(plan: Plan) -> Iterable[tuple[str, str]]:
    """Give each file of a plan with its unified diff."""
    for write in plan.writes:
        yield write.path, diff(write.path, write.replacing, write.text)
    for gone in plan.removes:
        yield gone.path, diff(gone.path, gone.replacing, None)
    for added in plan.appends:
        yield added.path, "".join(f"+{line}" for line in added.lines)


def diff(path: str, before: str | None, after: str | None) -> str:
    """Give the unified diff of one file; None is a file that is not there."""
    import difflib

    name = one_line(path)
    old = name if before is not None else os.devnull
    new = name if after is not None else os.devnull
    one, other = ((text or "").splitlines(keepends=True) for text in (before, after))
    lines = difflib.unified_diff(one, other, old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def last_commit(outcome: Outcome | None) -> str | None:
    """Give the id of the newest commit of an outcome."""
    return outcome.commits[-1] if outcome and outcome.commits else None


def ask(question: str) -> str:
    """Ask a person on the terminal."""
    sys.stderr.write(f"{question} ")
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def object_to(error: CortexError) -> None:
    """Say what is wrong with an answer, and what to do about it."""
    hint = f" hint: {one_line(error.hint)}\n" if error.hint else ""
    sys.stderr.write(f"error: {one_line(str(error))}\n{hint}")


def at_a_terminal() -> bool:
    """Tell whether somebody is there to be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def leave_report(report: str) -> str:
    """Keep the report of a crash where the tree keeps its own things; give its path."""
    from cortexfs.tree.crash_report import keep

    return keep(root(None), report, datetime.now(UTC))
