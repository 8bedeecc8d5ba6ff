"""The options that commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.faces.cli import complete

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
        "--project", "-p", metavar="NAME", help="The project.", autocompletion=complete.projects
    ),
]
Ref = Annotated[
    str, typer.Argument(help="`EXP-042`, or `flywheel/EXP-042`.", autocompletion=complete.refs)
]
KindName = Annotated[
    str,
    typer.Argument(
        help="experiment, knowledge, pattern, decision, idea, …", autocompletion=complete.kinds
    ),
]
AnyKind = Annotated[
    str | None, typer.Argument(help="Only of this kind.", autocompletion=complete.kinds)
]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="COMMIT", help="An id, a branch, or a day: 2026-03-01."),
]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="So many at the most.")]
