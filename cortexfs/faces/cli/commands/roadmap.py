"""`cortexfs roadmap`."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.governing import tell
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Project, Quiet, Root
from cortexfs.faces.cli.voice import Voice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.governance.checklist import Item

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def roadmap() -> None:
    """Where a project goes: show, tick, add."""


@app.command()
def show(
    project: Project = None, root: Root = None, as_json: Json = False, quiet: Quiet = False
) -> None:
    """Show the phases and milestones of roadmap.md, each item with its number.

    Example: cortexfs roadmap show -p driftwood
    """
    from cortexfs.faces.documents import item
    from cortexfs.verbs.resolve import one_project
    from cortexfs.verbs.roadmap import show_roadmap

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    within = one_project(cortex, project, voice.cwd())
    text, items = show_roadmap(cortex, within)
    say.document(project=within, items=[item(each) for each in items], text=text)
    say.lines(*_laid_out(items))


@app.command()
def tick(
    item: Annotated[str, typer.Argument(help="Its number, or words of it.")],
    project: Project = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Mark an item of roadmap.md as done.

    Example: cortexfs roadmap tick "Cost of frames by time" -p driftwood
    """
    from cortexfs.verbs.resolve import one_project
    from cortexfs.verbs.roadmap import tick as mark

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    within = one_project(cortex, project, voice.cwd())
    tell(say, mark(cortex, within, item, dry_run=dry_run, commit=not no_commit))


@app.command()
def add(
    phase: Annotated[str, typer.Option(help="The phase: one that is there, or a new one.")],
    item: Annotated[list[str], typer.Option(help="What must be true; may be repeated.")],
    milestone: Annotated[str, typer.Option(help="Its milestone, there or new.")] = "",
    project: Project = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Add items to a milestone of roadmap.md, making it and its phase where they are missing.

    Example: cortexfs roadmap add -p driftwood --phase 4 --milestone "M4.2" --item "Noise known"
    """
    from cortexfs.verbs.resolve import one_project
    from cortexfs.verbs.roadmap import add as extend

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    within = one_project(cortex, project, voice.cwd())
    keeping = {"dry_run": dry_run, "commit": not no_commit}
    tell(say, extend(cortex, within, phase, milestone, item, **keeping))


def _laid_out(items: Sequence[Item]) -> Iterator[str]:
    """Write each item below its phase and milestone, with how much of that is done."""
    for phase, within in groupby(items, lambda item: item.phase):
        yield f"{phase}"
        for milestone, inside in groupby(within, lambda item: item.milestone):
            every = list(inside)
            if milestone:
                yield f"- {milestone} ({sum(item.done for item in every)} of {len(every)})"
            for item in every:
                yield f"{item.number}\t[{'x' if item.done else ' '}]\t{item.words}"
