"""`cortexfs tag`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli import completion
from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    filter_command,
    make_group,
)
from cortexfs.interfaces.cli.options import ProjectFilter

app = make_group("Manage tags: list, rename.")


@app.command("list")
@filter_command("project", "kind", "status")
def list_all(
    run: CommandContext,
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", metavar="N", min=1, help="Maximum number of results."),
    ] = None,
) -> None:
    """List the tags, most used first.

    Prints each tag with its number of atoms and its projects.

    Example: cortexfs tag list -p driftwood -n 5
    """
    from cortexfs.interfaces.json.projects import to_tag_json
    from cortexfs.operations.list_and_rename_tags import list_tags

    session, only = run.open_filtered()
    found = list_tags(session, only)[:limit]
    run.output.print_document(tags=list(map(to_tag_json, found)))
    rows = ((each.tag, str(each.atoms), ", ".join(each.projects)) for each in found)
    run.output.print_table(("Tag", "Atoms", "Projects"), rows)
    if not found:
        run.output.exit_empty("no tags")


@app.command()
@change_command
def rename(
    run: CommandContext,
    old: Annotated[
        str,
        typer.Argument(metavar="OLD", help="Current tag.", autocompletion=completion.complete_tags),
    ],
    new: Annotated[
        str, typer.Argument(metavar="NEW", help="New tag.", autocompletion=completion.complete_tags)
    ],
    project: ProjectFilter = None,
) -> None:
    """Rename a tag in every atom.

    If NEW exists, the two tags are merged. All changes are one commit.

    Example: cortexfs tag rename residuals residual --dry-run
    """
    from cortexfs.operations.list_and_rename_tags import rename_tag_in_atoms
    from cortexfs.operations.shared.filters import parse_filters

    session = run.open_session()
    only = parse_filters(session, projects=project)
    done = rename_tag_in_atoms(session, old, new, only, mode=run.mode)
    run.output.print_own_changes(done.own_changes)
    renamed = {"old": old, "new": new, "paths": done.paths}
    if run.output.print_result(done.plan, done.outcome, {"renamed": renamed}):
        run.output.print_lines(f"{old} renamed to {new} in {format_count(len(done.paths), 'atom')}")
