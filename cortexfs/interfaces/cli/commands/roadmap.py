"""`cortexfs roadmap`."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    make_group,
    read_command,
)
from cortexfs.interfaces.cli.governance_commands import print_governance_change
from cortexfs.interfaces.cli.options import Project

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.governance.checklist import ChecklistItem

app = make_group("Manage the roadmap of a project: show, tick, add.")


@app.command()
@read_command
def show(run: CommandContext, project: Project = None) -> None:
    """Show the phases and milestones of roadmap.md with numbered items.

    Example: cortexfs roadmap show -p driftwood
    """
    from cortexfs.interfaces.json.tasks import to_checklist_item_json
    from cortexfs.operations.roadmap import show_roadmap

    session, within = run.open_project(project)
    text, items = show_roadmap(session, within)
    run.output.print_document(
        project=within, items=[to_checklist_item_json(each) for each in items], content=text
    )
    run.output.print_lines(*_format_items(items))


@app.command()
@change_command
def tick(
    run: CommandContext,
    item: Annotated[str, typer.Argument(help="Number of the item, or words of it.")],
    project: Project = None,
) -> None:
    """Mark an item of roadmap.md as done.

    Example: cortexfs roadmap tick "Cost of frames by time" -p driftwood
    """
    from cortexfs.operations.roadmap import tick_roadmap_item

    print_governance_change(
        run.output, tick_roadmap_item(*run.open_project(project), item, mode=run.mode)
    )


@app.command()
@change_command
def add(
    run: CommandContext,
    phase: Annotated[str, typer.Option(metavar="TEXT", help="Existing or new phase.")],
    item: Annotated[
        list[str], typer.Option(metavar="TEXT", help="Condition to be met; may be repeated.")
    ],
    milestone: Annotated[str, typer.Option(metavar="TEXT", help="Existing or new milestone.")] = "",
    project: Project = None,
) -> None:
    """Add items to a milestone of roadmap.md.

    A missing phase or milestone is created.

    Example: cortexfs roadmap add -p driftwood --phase 4 --milestone "M4.2" --item "Noise known"
    """
    from cortexfs.operations.roadmap import add_roadmap_items

    print_governance_change(
        run.output,
        add_roadmap_items(*run.open_project(project), phase, milestone, item, mode=run.mode),
    )


def _format_items(items: Sequence[ChecklistItem]) -> Iterator[str]:
    """Yield each item below its phase and milestone, with their progress."""
    for phase, within in groupby(items, lambda item: item.phase):
        yield f"{phase}"
        for milestone, inside in groupby(within, lambda item: item.milestone):
            every = list(inside)
            if milestone:
                yield f"- {milestone} ({sum(item.done for item in every)} of {len(every)})"
            for item in every:
                yield f"{item.number}\t[{'x' if item.done else ' '}]\t{item.text}"
