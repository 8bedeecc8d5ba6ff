"""The options and arguments that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli import completion

StringList = list[str] | None
"""An option that may be repeated; None if it is not given."""

Root = Annotated[
    str | None,
    typer.Option("--root", metavar="PATH", help="Root of the tree; see `cortexfs --help`."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only data and errors.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print the plan as a diff and change nothing.")
]
DryRunReport = Annotated[
    bool, typer.Option("--dry-run", help="Print the same report and change nothing.")
]
NoCommit = Annotated[bool, typer.Option("--no-commit", help="Write the files without a commit.")]
Project = Annotated[
    str | None,
    typer.Option(
        "--project",
        "-p",
        metavar="NAME",
        help="Name of the project.",
        autocompletion=completion.complete_projects,
    ),
]
Port = Annotated[
    int,
    typer.Option(
        "--port", metavar="PORT", min=0, max=65_535, envvar="CORTEX_PORT", help="Port to listen on."
    ),
]
Host = Annotated[
    str, typer.Option("--host", metavar="ADDRESS", help="Address of this machine to listen on.")
]
SocketPath = Annotated[
    str, typer.Option("--socket", metavar="PATH", help="Listen at a socket file instead of a port.")
]
TokenFile = Annotated[
    str, typer.Option("--token-file", metavar="PATH", help="File with the token of the server.")
]
Projects = Annotated[
    StringList,
    typer.Argument(
        help="Names of projects (default: all).", autocompletion=completion.complete_projects
    ),
]
Ref = Annotated[
    str,
    typer.Argument(
        metavar="REF",
        help="Ref of the atom: `EXP-042` or `driftwood/EXP-042`.",
        autocompletion=completion.complete_refs,
    ),
]
FromRef = Annotated[
    str,
    typer.Argument(
        metavar="FROM", help="Ref of the first atom.", autocompletion=completion.complete_refs
    ),
]
ToRef = Annotated[
    str,
    typer.Argument(
        metavar="TO", help="Ref of the last atom.", autocompletion=completion.complete_refs
    ),
]
KindName = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help="Kind: experiment, knowledge, pattern, decision, idea, ….",
        autocompletion=completion.complete_kinds,
    ),
]
KindArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[KIND]",
        help="Filter by kind, as --kind does.",
        autocompletion=completion.complete_kinds,
    ),
]

# Filters: each may be repeated and comma-separated; `CommandContext.open_filtered` parses them.
ProjectFilter = Annotated[
    StringList,
    typer.Option(
        "--project",
        "-p",
        metavar="NAME",
        help="Filter by project; repeat it, or write `a,b`.",
        autocompletion=completion.complete_projects,
    ),
]
KindFilter = Annotated[
    StringList,
    typer.Option(
        "--kind",
        metavar="NAME",
        help="Filter by kind; repeat it, or write `a,b`.",
        autocompletion=completion.complete_kinds,
    ),
]
StatusFilter = Annotated[
    StringList,
    typer.Option(
        "--status",
        metavar="WORD",
        help="Filter by status; repeat it, or write `a,b`.",
        autocompletion=completion.complete_statuses,
    ),
]
TagFilter = Annotated[
    StringList,
    typer.Option(
        "--tag",
        "-t",
        metavar="WORD",
        help="Filter by tag; results must match every --tag.",
        autocompletion=completion.complete_tags,
    ),
]
Since = Annotated[
    str, typer.Option("--since", metavar="DATE", help="First day: 2026-03-09, 2026-03, 30d, 6m.")
]
Until = Annotated[
    str, typer.Option("--until", metavar="DATE", help="Last day: 2026-03-09, 2026-03, 30d, 6m.")
]
AtCommit = Annotated[
    str | None,
    typer.Option("--at", metavar="COMMIT", help="Commit id, branch, tag or day (2026-03-01)."),
]
Limit = Annotated[
    int,
    typer.Option(
        "--limit", "-n", metavar="N", min=1, max=1_000_000, help="Maximum number of results."
    ),
]
Track = Annotated[bool, typer.Option("--track/--no-track", help="Whether to count this as a read.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Reason, in one line.")]

Summary = Annotated[
    str,
    typer.Option(
        "--summary", "-s", metavar="TEXT", help="Summary in one line, up to 300 characters."
    ),
]
Tags = Annotated[
    StringList,
    typer.Option(
        "--tag",
        "-t",
        metavar="WORD",
        help="Tag; may be repeated.",
        autocompletion=completion.complete_tags,
    ),
]
Evidence = Annotated[
    StringList,
    typer.Option(
        "--evidence",
        metavar="SOURCE",
        help="Evidence, such as EXP-001, a URL, file, commit or citation; may be repeated.",
        autocompletion=completion.complete_refs,
    ),
]
Links = Annotated[
    StringList,
    typer.Option(
        "--link",
        metavar="REF",
        help="Ref of a related atom; may be repeated.",
        autocompletion=completion.complete_refs,
    ),
]
BodyFile = Annotated[
    str | None,
    typer.Option("--body-file", metavar="FILE", help="File with the body; `-` is stdin."),
]
TextFile = Annotated[
    str | None,
    typer.Option("--body-file", metavar="FILE", help="File with the text; `-` is stdin."),
]
Edit = Annotated[bool, typer.Option("--edit", help="Write the body in $VISUAL or $EDITOR.")]

TaskId = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="Id of the task: `3fa9` or `driftwood/3fa9`.",
        autocompletion=completion.complete_tasks,
    ),
]
Owner = Annotated[
    str | None,
    typer.Option(
        "--owner",
        metavar="NAME",
        help="Name of the owner (default: $CORTEXFS_OWNER, $CORTEX_EXECUTION_ID, your login).",
    ),
]
Force = Annotated[
    bool, typer.Option("--force", help="Override the claim or lock of another owner.")
]
