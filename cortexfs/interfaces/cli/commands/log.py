"""`cortexfs log`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.errors import Usage
from cortexfs.interfaces.cli import completion, console
from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import KindFilter, Limit, ProjectFilter, Since, Until

if TYPE_CHECKING:
    from cortexfs.operations.log import LogEntry

app = typer.Typer(rich_markup_mode=None, add_completion=False)

MAX_NAMED_REFS = 3
"""Maximum number of refs listed for a change; further ones are counted."""


@app.command()
@read_command
def log(
    run: CommandContext,
    ref: Annotated[
        str | None,
        typer.Argument(
            help="Ref of an atom (default: the whole tree).",
            autocompletion=completion.complete_refs,
        ),
    ] = None,
    project: ProjectFilter = None,
    kind: KindFilter = None,
    since: Since = "",
    until: Until = "",
    limit: Limit = 20,
    bookkeeping: Annotated[
        bool, typer.Option("--all", help="Include housekeeping commits.")
    ] = False,
) -> None:
    """Show the changes of the tree or of an atom, newest first.

    An atom is followed under every name that it has had, with its changes of status.

    Example: cortexfs log driftwood/EXP-004
    """
    from cortexfs.interfaces.json.changes import to_log_entry_json
    from cortexfs.operations.log import list_atom_commits
    from cortexfs.operations.log import log as latest
    from cortexfs.operations.shared.filters import parse_filters

    if ref and (project or kind):
        raise Usage("--project and --kind filter the log of the tree", hint="leave out the ref")
    session = run.open_session()
    only = parse_filters(session, projects=project, kinds=kind, since=since, until=until)
    full = None
    if ref:
        full, turns = list_atom_commits(
            session, ref, console.working_directory(), limit, only, bookkeeping=bookkeeping
        )
    else:
        turns = latest(session, limit, only, bookkeeping=bookkeeping)
    run.output.print_document(ref=full, changes=[to_log_entry_json(each) for each in turns])
    rows = (
        (t.commit.commit[:10], t.commit.when, t.commit.author, _describe_commit(t, ref))
        for t in turns
    )
    run.output.print_table(("Commit", "When", "Author", "Change"), rows)
    if not turns:
        run.output.exit_empty("no commits of it" if ref else "no commits")


def _describe_commit(turn: LogEntry, ref: str | None) -> str:
    """Return the description of a commit: its subject, and details that the subject lacks."""
    more = []
    if turn.status:
        more.append(" → ".join(turn.status))
    if turn.moved_from:
        more.append(f"moved from {turn.moved_from}")
    unsaid = (
        [] if ref else [r for r in turn.refs if r.rpartition("/")[2] not in turn.commit.subject]
    )
    if unsaid:
        left = f" and {len(unsaid) - MAX_NAMED_REFS} more" if len(unsaid) > MAX_NAMED_REFS else ""
        more.append(", ".join(unsaid[:MAX_NAMED_REFS]) + left)
    return f"{turn.commit.subject} ({'; '.join(more)})" if more else turn.commit.subject
