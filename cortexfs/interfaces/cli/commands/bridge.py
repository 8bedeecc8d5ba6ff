"""`cortexfs bridge`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.bridge.make_digest import DEFAULT_CHARS, MAX_CHARS, MIN_CHARS
from cortexfs.core.bridge.parse_client_memories import MemoryClient
from cortexfs.core.changes.plan_diff import format_diff
from cortexfs.errors import Usage
from cortexfs.interfaces.cli.command_context import CommandContext, report_command
from cortexfs.interfaces.cli.options import Project
from cortexfs.interfaces.json import plans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.operations.bridge_out import ClientFileChange
    from cortexfs.operations.shared.plan_store_import import StoreImport

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@report_command
def bridge(
    run: CommandContext,
    take: Annotated[
        bool, typer.Option("--in", help="Import the memories of clients (default).")
    ] = False,
    give: Annotated[
        bool, typer.Option("--out", help="Write a digest into the memory file of a client.")
    ] = False,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove the digest from the memory file.")
    ] = False,
    client: Annotated[
        list[MemoryClient] | None,
        typer.Option(
            "--client",
            help="Client; may be repeated (default, except for --out: all that are found).",
        ),
    ] = None,
    project: Project = None,
    max_chars: Annotated[
        int,
        typer.Option(
            "--max-chars",
            metavar="N",
            min=MIN_CHARS,
            max=MAX_CHARS,
            help="Maximum number of characters of the digest.",
        ),
    ] = DEFAULT_CHARS,
) -> None:
    """Exchange memories with the memory files of clients.

    With --in, the memories that Claude Code, Codex and Gemini CLI keep themselves become
    observations; an edited one updates its observation. With --out, the client's memory file gets
    a digest of the most important memories, between two markers; the digest is never imported
    again.

    Example: cortexfs bridge --in --dry-run
    """
    from cortexfs.operations.bridge_in import bridge_in
    from cortexfs.operations.bridge_out import DigestRequest, bridge_out
    from cortexfs.session.read_client_memories import find_project_folder

    if remove and (take or give):
        raise Usage("--remove cannot be combined with --in or --out")
    if give and not client:
        raise Usage("--out needs a client", hint="for example --client claude-code")
    session, chosen = run.open_projects([project] if project else None)
    clients = client or list(MemoryClient)
    taken: StoreImport | None = None
    changes: list[ClientFileChange] = []
    if take or not (give or remove):
        name = chosen[0] if chosen else ""
        taken = bridge_in(session, clients, os.environ, name, mode=run.mode)
    if give or remove:
        wanted = None if remove else DigestRequest(chosen, max_chars)
        folder = find_project_folder(run.cwd)
        changes = bridge_out(session, clients, os.environ, folder, wanted, mode=run.mode)
    _print_result(run, taken, changes)


def _print_result(
    run: CommandContext, taken: StoreImport | None, changes: Sequence[ClientFileChange]
) -> None:
    from cortexfs.interfaces.cli.import_store import format_counts, format_messages
    from cortexfs.interfaces.json.stores import to_store_import_json

    output = run.output
    outcome = taken.outcome if taken else None
    output.print_outcome(outcome)
    files = [
        {"client": each.client, "path": each.path, "changed": each.before != each.after}
        for each in changes
    ]
    document: dict[str, object] = {"dry-run": run.dry_run}
    document |= {"in": to_store_import_json(taken, dry_run=run.dry_run)} if taken else {}
    document |= {"out": files} if not taken or files else {}
    commit = plans.last_commit_id(outcome) if taken and taken.plan.writes else None
    output.print_document(bridge=document, commit=commit)
    if taken:
        rows = [(each.source, each.ref, each.summary) for each in taken.entries if each.write]
        output.print_table(("Memory", "Atom", "Summary"), rows)
        for line in (*format_messages(taken), format_counts(taken, "memory", dry_run=run.dry_run)):
            output.print_message(line)
    for change in changes:
        if run.dry_run and change.before != change.after:
            output.print_text(format_diff(change.path, change.before, change.after))
        result = "nothing to change" if change.before == change.after else "written"
        if not run.dry_run:
            output.print_message(f"{change.path}: {result}")
