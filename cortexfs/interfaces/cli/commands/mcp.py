"""`cortexfs mcp`."""

from __future__ import annotations

import gc
import os
import re
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.errors import Usage
from cortexfs.interfaces.cli import process_context
from cortexfs.interfaces.cli.command_context import CommandContext
from cortexfs.interfaces.cli.console import OutputPrinter
from cortexfs.interfaces.cli.options import Project, Quiet, Root

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.interfaces.mcp.tool import Tool, ToolContext

MAX_AGE_S = 1.0
"""Maximum seconds by which a read may be behind a change on disk."""

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def mcp(
    tools: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help="Profiles (agent, admin, tree, story) and names of tools, separated by commas.",
        ),
    ] = "all",
    project: Project = None,
    http: Annotated[
        str, typer.Option(metavar="[HOST:]PORT", help="Serve over HTTP instead of stdio.")
    ] = "",
    root: Root = None,
    quiet: Quiet = False,
) -> None:
    """Serve the tree to agents over the Model Context Protocol.

    Serves one client over stdin and stdout, until it closes them. With --http, serves any number
    of clients that have the token in `.cortexfs/mcp-token`, until it is stopped.

    Example: cortexfs mcp --project driftwood
    """
    from cortexfs.core.settings.background_environment import DRAIN_OFF, DRAIN_QUIET_VARIABLE
    from cortexfs.interfaces.mcp.default_project import choose_default_project
    from cortexfs.interfaces.mcp.tool import ToolContext
    from cortexfs.interfaces.mcp.tool_table import choose_from_table
    from cortexfs.operations.shared.extras import require_extra

    gc.enable()  # this process lives long
    run = CommandContext(OutputPrinter(quiet=quiet), root, ExecutionMode.COMMIT)
    chosen = choose_from_table(tools)
    address = _parse_address(http) if http else None
    require_extra("mcp")
    session = run.open_session()
    session.serve_reads(MAX_AGE_S)
    os.environ[DRAIN_QUIET_VARIABLE] = DRAIN_OFF  # this process logs its own reads
    name = choose_default_project(session, project or "", run.cwd)
    sources = process_context.find_sources(session)
    context = ToolContext(session, name, run.cwd, sources)
    from cortexfs.operations.regenerate_indexes import regenerate_indexes

    def report(error: str) -> None:
        run.output.print_message(f"warning: {error}; trying again")

    with (
        session.comparisons.watch_events(),
        session.deferred_commits(lambda: regenerate_indexes(session, None), report),
    ):
        if address:
            _serve_http(run.output, context, chosen, address)
        else:
            from cortexfs.interfaces.mcp.serve_stdio import serve_stdio

            serve_stdio(context, chosen)


def _serve_http(
    output: OutputPrinter, context: ToolContext, tools: Sequence[Tool], address: tuple[str, int]
) -> None:
    """Open the socket, print the address and the path of the token, and serve."""
    from cortexfs.interfaces.http.listening_socket import format_address, open_listener
    from cortexfs.interfaces.mcp.http_server import serve_http
    from cortexfs.session.access_token import MCP_TOKEN_FILE, read_or_create_token

    token, path = read_or_create_token(context.session.tree, MCP_TOKEN_FILE)
    with open_listener(*address) as listener:
        shown = format_address(*listener.getsockname()[:2])
        output.print_message(f"serving http://{shown}/mcp; the token is in {path}")
        serve_http(context, tools, listener, token)


def _parse_address(typed: str) -> tuple[str, int]:
    """Return host and port of `7437`, `localhost:7437` or `[::1]:7437`."""
    from cortexfs.interfaces.http.listening_socket import DEFAULT_HOST, MAX_PORT

    found = re.fullmatch(
        r"(?:(?P<host>[\w.-]+|\[[0-9a-fA-F:]+\]):)?(?P<port>\d{1,5})", typed, re.ASCII
    )
    if not found or int(found["port"]) > MAX_PORT:
        raise Usage(f"`{typed}` is not an address", hint="write PORT or HOST:PORT")
    return (found["host"] or DEFAULT_HOST).strip("[]"), int(found["port"])
