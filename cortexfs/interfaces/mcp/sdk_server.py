"""The server of the SDK: what each request of the protocol is answered with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import anyio.to_thread
import mcp_types as types
from anyio import CapacityLimiter
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from cortexfs import __version__
from cortexfs.errors import CortexError
from cortexfs.interfaces.mcp import prompts, resources
from cortexfs.interfaces.mcp.answer_call import (
    answer_and_record,
    format_error,
    format_os_error,
    report_bug,
)
from cortexfs.interfaces.mcp.server_identity import NAME, make_instructions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mcp.server.context import ServerRequestContext

    from cortexfs.interfaces.mcp.tool import Tool, ToolContext

    Given = ParamSpec("Given")
    Returned = TypeVar("Returned")
    Request = ServerRequestContext[Any]

MAX_THREADS = 4
"""Number of calls that run at the same time; each thread has a connection to the catalog."""
RESOURCE_NOT_FOUND = -32002


def make_sdk_server(context: ToolContext, tools: Sequence[Tool]) -> Server[Any]:
    """Return the server; what touches the tree runs in other threads than the event loop."""
    answers = _Answers(context, tools)
    server: Server[Any] = Server(
        NAME,
        version=__version__,
        instructions=make_instructions({tool.name for tool in tools}),
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_resources=answers.list_resources,
        on_list_resource_templates=answers.list_templates,
        on_read_resource=answers.read_resource,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
    )
    server.middleware.clear()  # spans of OpenTelemetry, which nobody receives here
    return server


class _Answers:
    """The answers to all requests."""

    def __init__(self, context: ToolContext, tools: Sequence[Tool]) -> None:
        self._context = context
        self._tools = {tool.name: tool for tool in tools}
        listed = {"tools": [tool.to_json() for tool in tools]}
        self._listed = types.ListToolsResult.model_validate(listed)
        self._limiter = CapacityLimiter(MAX_THREADS)

    async def list_tools(self, _: Request, __: object) -> types.ListToolsResult:
        return self._listed

    async def call_tool(
        self, asked: Request, call: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if not (tool := self._tools.get(call.name)):
            raise MCPError(types.INVALID_PARAMS, f"no tool named `{call.name[:60]}`")
        given, client = call.arguments or {}, _find_client(asked)
        answer = await self._run_in_thread(answer_and_record, tool, given, client)
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=answer.text)]
        return types.CallToolResult(content=content, is_error=answer.is_error)

    async def list_resources(
        self, _: Request, asked: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        cursor = (asked and asked.cursor) or ""
        found = await self._run_in_thread(resources.list_resources, cursor)
        return types.ListResourcesResult.model_validate(found)

    async def list_templates(self, _: Request, __: object) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult.model_validate(resources.list_templates())

    async def read_resource(
        self, request: Request, asked: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri, client = str(asked.uri), _find_client(request)
        found = await self._run_in_thread(resources.read_resource, uri, client)
        return types.ReadResourceResult.model_validate(found)

    async def list_prompts(self, _: Request, __: object) -> types.ListPromptsResult:
        return types.ListPromptsResult.model_validate(prompts.list_prompts())

    async def get_prompt(
        self, _: Request, asked: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        try:
            found = prompts.get_prompt(asked.name, asked.arguments or {})
        except CortexError as error:
            raise MCPError(types.INVALID_PARAMS, format_error(self._context, error)) from None
        return types.GetPromptResult.model_validate(found)

    async def _run_in_thread(
        self,
        function: Callable[Concatenate[ToolContext, Given], Returned],
        *args: Given.args,
        **named: Given.kwargs,
    ) -> Returned:
        """Run a function that may block in another thread; its errors become those of JSON-RPC."""
        context = self._context

        def call() -> Returned:
            try:
                return function(context, *args, **named)
            except CortexError as error:
                raise MCPError(RESOURCE_NOT_FOUND, format_error(context, error)) from None
            except OSError as error:
                raise MCPError(types.INTERNAL_ERROR, format_os_error(error)) from None
            except Exception as error:
                raise MCPError(types.INTERNAL_ERROR, report_bug(context, error)) from error

        return await anyio.to_thread.run_sync(call, limiter=self._limiter)


def _find_client(request: Request) -> str:
    """Return the name that the client has given itself; empty without one."""
    params = request.session.client_params
    return params.client_info.name if params else ""
