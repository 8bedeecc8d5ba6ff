"""The options and arguments that several commands share, each said once."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli import completion

Words = list[str] | None
"""An option that may be repeated; None where it is not given."""

Root = Annotated[
    str | None, typer.Option("--root", metavar="PATH", help="The tree; see `cortexfs --help`.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but data and errors.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the plan, and change nothing.")]
NoCommit = Annotated[bool, typer.Option("--no-commit", help="Write, but make no commit.")]
Project = Annotated[
    str | None,
    typer.Option(
        "--project", "-p", metavar="NAME", help="The project.", autocompletion=completion.projects
    ),
]
Projects = Annotated[
    Words, typer.Argument(help="Default: all.", autocompletion=completion.projects)
]
Ref = Annotated[
    str, typer.Argument(help="`EXP-042`, or `flywheel/EXP-042`.", autocompletion=completion.refs)
]
KindName = Annotated[
    str,
    typer.Argument(
        help="experiment, knowledge, pattern, decision, idea, …", autocompletion=completion.kinds
    ),
]
AnyKind = Annotated[
    str | None, typer.Argument(help="Only of this kind.", autocompletion=completion.kinds)
]
AnyStatus = Annotated[str | None, typer.Option("--status", help="Only with this status.")]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="COMMIT", help="An id, a branch, or a day: 2026-03-01."),
]
Limit = Annotated[
    int, typer.Option("--limit", "-n", min=1, max=1_000_000, help="So many at the most.")
]
Track = Annotated[bool, typer.Option("--track/--no-track", help="Count it as a look.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why, in a line.")]

Summary = Annotated[str, typer.Option("--summary", "-s", help="One line, up to 300.")]
Tags = Annotated[Words, typer.Option("--tag", "-t", help="A tag; may be repeated.")]
Evidence = Annotated[Words, typer.Option("--evidence", help="Refs that it rests on.")]
Links = Annotated[
    Words,
    typer.Option("--link", help="A related ref; may be repeated.", autocompletion=completion.refs),
]
BodyFile = Annotated[
    str | None, typer.Option("--body-file", metavar="FILE", help="The body; `-` is stdin.")
]
TextFile = Annotated[
    str | None, typer.Option("--body-file", metavar="FILE", help="The text; `-` is stdin.")
]
Edit = Annotated[bool, typer.Option("--edit", help="Write the body in $EDITOR.")]

TaskId = Annotated[str, typer.Argument(metavar="ID", help="`3fa9`, or `driftwood/3fa9`.")]
Owner = Annotated[
    str | None,
    typer.Option(
        "--owner", help="Who you are; else $CORTEXFS_OWNER, $CORTEX_EXECUTION_ID, your login."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Also what somebody else holds.")]
