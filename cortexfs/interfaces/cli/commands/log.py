"""`cortexfs log`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.sanitize import redact_secrets
from cortexfs.errors import Usage
from cortexfs.interfaces.cli import completion
from cortexfs.interfaces.cli.command_context import CommandContext, filter_command
from cortexfs.interfaces.cli.options import Limit

if TYPE_CHECKING:
    from cortexfs.operations.log import LogEntry

app = typer.Typer(rich_markup_mode=None, add_completion=False)

DEFAULT_LIMIT = 20
"""Number of results without --limit."""

MAX_NAMED_REFS = 3
"""Maximum number of refs listed for a change; further ones are counted."""


@app.command()
@filter_command("project", "kind", "since", "until")
def log(
    run: CommandContext,
    ref: Annotated[
        str | None,
        typer.Argument(
            help="Ref of an atom (default: the whole tree).",
            autocompletion=completion.complete_refs,
        ),
    ] = None,
    limit: Limit = DEFAULT_LIMIT,
    with_housekeeping: Annotated[
        bool, typer.Option("--all", help="Include housekeeping commits.")
    ] = False,
) -> None:
    """Show the changes of the tree or of an atom, newest first.

    The log of an atom includes its earlier names, and its status changes.

    Example: cortexfs log driftwood/EXP-004
    """
    from cortexfs.interfaces.json.history_and_status import to_log_entry_json
    from cortexfs.operations.log import list_atom_commits
    from cortexfs.operations.log import log as list_commits

    if ref and (run.filters.projects or run.filters.kinds):
        raise Usage("--project and --kind filter the log of the tree", hint="leave out the ref")
    session, only = run.open_filtered()
    full_ref = None
    if ref:
        full_ref, changes = list_atom_commits(
            session, ref, run.cwd, limit, only, with_housekeeping=with_housekeeping
        )
    else:
        changes = list_commits(session, limit, only, with_housekeeping=with_housekeeping)
    run.output.print_document(ref=full_ref, changes=[to_log_entry_json(each) for each in changes])
    rows = (
        (t.commit.commit[:10], t.commit.when, t.commit.author, _describe_commit(t, ref))
        for t in changes
    )
    run.output.print_table(("Commit", "When", "Author", "Change"), rows)
    if not changes:
        run.output.exit_empty("no commits")
    run.output.print_limit_note(len(changes), limit, DEFAULT_LIMIT)


def _describe_commit(entry: LogEntry, ref: str | None) -> str:
    """Return the subject of a commit, and details that the subject lacks."""
    details = []
    if entry.status:
        details.append(" → ".join(entry.status))
    if entry.moved_from:
        details.append(f"moved from {entry.moved_from}")
    subject = redact_secrets(entry.commit.subject)
    refs = [] if ref else [each for each in entry.refs if each.rpartition("/")[2] not in subject]
    if refs:
        rest = len(refs) - MAX_NAMED_REFS
        details.append(", ".join(refs[:MAX_NAMED_REFS]) + (f" and {rest} more" if rest > 0 else ""))
    return f"{subject} ({'; '.join(details)})" if details else subject
