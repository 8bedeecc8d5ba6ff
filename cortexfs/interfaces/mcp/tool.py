"""One tool: its name, arguments and effect, and the function that runs it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.tools.tool_arguments import ArgumentType, Parameter, to_input_schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.checks.citation_checksums import CitedFileSource
    from cortexfs.core.tools.tool_arguments import Arguments
    from cortexfs.interfaces.mcp.tool_profiles import Profile
    from cortexfs.session.session import Session

CHANGE_MODE = ExecutionMode.COMMIT
"""How far the tools that change the tree go."""
MEMORY_MODE = ExecutionMode.DEFER
"""How far the tools that change memories go: they are called often."""
MAX_RESULT_CHARS = 50_000
"""The limit that a tool with pages tells the client: more than any page has."""
PAGE = Parameter("page", ArgumentType.INTEGER, "Page of a long result", default=1)
"""The argument of each tool whose result may have several pages."""


class ToolContext(NamedTuple):
    """What a tool works on: the tree, and the project of a call that names none."""

    session: Session
    project: str
    cwd: str
    sources: CitedFileSource | None = None


class ToolResult(NamedTuple):
    """The text of a result, and the refs or paths of the data in it; without any, it is our own.

    `header` is our own text before the data.
    """

    text: str
    source: str = ""
    header: str = ""


class Effect(StrEnum):
    """What a call changes, as clients ask before they allow it."""

    READ = "read"
    ADD = "add"
    SET = "set"
    """Changes something; the same call again changes nothing more."""
    DELETE = "delete"


class Tool(NamedTuple):
    """One tool. An eager tool is in the model's context from the start, others are searched for.

    `search_words` help to find one that is not eager.
    """

    name: str
    profile: Profile
    effect: Effect
    description: str
    parameters: tuple[Parameter, ...]
    run: Callable[[ToolContext, Arguments], ToolResult]
    is_eager: bool = False
    search_words: str = ""

    @property
    def has_pages(self) -> bool:
        """Whether a long result has pages."""
        return PAGE in self.parameters

    def to_json(self) -> dict[str, object]:
        """Return the tool as `tools/list` has it."""
        document: dict[str, object] = {
            "name": self.name,
            "description": self.description,
            "inputSchema": to_input_schema(self.parameters),
            "annotations": {
                "readOnlyHint": self.effect is Effect.READ,
                "destructiveHint": self.effect is Effect.DELETE,
                "idempotentHint": self.effect is not Effect.ADD,
                "openWorldHint": False,
            },
        }
        meta: dict[str, object] = {"anthropic/alwaysLoad": True} if self.is_eager else {}
        if self.search_words:
            meta["anthropic/searchHint"] = self.search_words
        if self.has_pages:
            meta["anthropic/maxResultSizeChars"] = MAX_RESULT_CHARS
        return {**document, "_meta": meta} if meta else document
