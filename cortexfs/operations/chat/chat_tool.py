"""One tool of the chat: its name, arguments and effect, and the function that runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cortexfs.core.checks.citation_checksums import CitedFileSource
    from cortexfs.core.tools.tool_arguments import Arguments, Parameter
    from cortexfs.session.session import Session


class ChatContext(NamedTuple):
    """What the tools of a message work on.

    A tool that changes something goes as far as `mode` says. `last_commit` is the last change of
    the thread, `project` that of a call that names none; either may be empty.
    """

    session: Session
    cwd: str
    environ: Mapping[str, str]
    sources: CitedFileSource | None = None
    last_commit: str = ""
    project: str = ""
    mode: ExecutionMode = ExecutionMode.DRY_RUN


class ToolOutput(NamedTuple):
    """The text of a result, which may have any text of the tree, and the refs that it is about."""

    text: str
    refs: tuple[str, ...] = ()


class ChatTool(NamedTuple):
    """One tool; one that changes something is only run for real once its plan was confirmed."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    run: Callable[[ChatContext, Arguments], ToolOutput]
    is_change: bool = False
