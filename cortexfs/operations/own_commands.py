"""The commands that other programs run for us: hooks of clients, and the MCP server."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.clients.client_files import OwnCommands
from cortexfs.clients.hook_command import (
    GUARD,
    INJECT,
    NOTE,
    format_hook_command,
    format_path_needles,
)
from cortexfs.errors import Refused
from cortexfs.operations.drain_command import (
    DRAIN_SCRIPT,
    drain_command,
    find_interpreter,
    spool_path,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.session.view import TreeFilesAndGit

TOOLS = "agent,mem_timeline"
"""The tools of the MCP server that a client gets: those that our instructions name."""


def make_own_commands(view: TreeFilesAndGit, environ: Mapping[str, str]) -> OwnCommands:
    """Return what a client is to run for this tree: always the same words for one installation."""
    root, python = view.tree.root, find_interpreter()
    real = os.path.realpath(root)
    words = format_path_needles(root, real)
    later, spool = own_path(view, environ, DRAIN_SCRIPT), spool_path(view)
    script = own_path(view, environ, NOTE)
    server = (python, "-I", "-m", "cortexfs", "mcp", "--root", root, "--tools", TOOLS)
    if any("\ud800" <= character <= "\udfff" for character in root + python):
        raise Refused(f"settings are UTF-8, and a path of the MCP server is not: {root!a}")
    return OwnCommands(
        root,
        os.path.expanduser("~"),
        note=format_hook_command(python, script, (spool, *words), drain_command(view, later)),
        flush=format_hook_command(
            python, script, ("--flush", spool), drain_command(view, later, "--now")
        ),
        guard=format_hook_command(
            python, own_path(view, environ, GUARD), (root, *words), list_package_folders()
        ),
        inject=format_hook_command(
            python,
            own_path(view, environ, INJECT),
            ("--client=", spool, real),
            drain_command(view, later),
        ),
        server=server,
    )


def list_package_folders() -> list[str]:
    """Return the folders of cortexfs and its packages, from which alone a guard imports."""
    from importlib.util import find_spec  # noqa: PLC0415 - only a setup asks

    found = [find_spec(name) for name in ("cortexfs", "yaml", "detect_secrets")]
    origins = [os.path.abspath(spec.origin) for spec in found if spec and spec.origin]
    return list(dict.fromkeys(os.path.dirname(os.path.dirname(each)) for each in origins))


def own_path(view: TreeFilesAndGit, environ: Mapping[str, str], name: str) -> str:
    """Return the path of a file in our folder in the user's home."""
    return os.path.join(view.tree.cortex_home(environ), name)
