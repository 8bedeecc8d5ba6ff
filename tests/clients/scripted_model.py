"""A model that calls the tools it was given, for agents that are to be driven without network.

It listens on 127.0.0.1, answers the streaming APIs of Anthropic, OpenAI (responses and chat
completions) and Gemini, and keeps each request. Its turn is found by counting the results of tools
in the request, so that a repeated request gets the same answer.
"""

from __future__ import annotations

import gzip
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FAREWELL = "done"
INNER_PROMPT = "Look around."
"""What a sub-agent is asked: it gets calls of its own."""
Event = dict[str, Any]


class ToolCall(NamedTuple):
    """A call of a tool; Codex keeps the tools of an MCP server in a namespace."""

    tool: str
    arguments: dict[str, object]
    namespace: str = ""


class ScriptedModel(ThreadingHTTPServer):
    """The server, what it will call, and what it was asked."""

    daemon_threads = True

    def __init__(self, calls: Sequence[ToolCall], inner_calls: Sequence[ToolCall] = ()) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.calls, self.inner_calls = list(calls), list(inner_calls)
        self.requests: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def choose_call(self, body: Event, results: int) -> ToolCall | None:
        """Return the call after so many results; a request without tools gets words."""
        is_inner = INNER_PROMPT in json.dumps((body.get("messages") or [None])[0])
        calls = self.inner_calls if is_inner else self.calls
        return calls[results] if body.get("tools") and results < len(calls) else None

    def longest_request(self) -> str:
        """Return the text of the request that knows most of the conversation."""
        return max((json.dumps(each, ensure_ascii=False) for each in self.requests), key=len)


@contextmanager
def serve_model(
    calls: Sequence[ToolCall], inner_calls: Sequence[ToolCall] = ()
) -> Iterator[ScriptedModel]:
    """Serve the model from a thread of its own."""
    with ScriptedModel(calls, inner_calls) as model:
        thread = threading.Thread(target=model.serve_forever, args=(0.1,), daemon=True)
        thread.start()
        yield model
        model.shutdown()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedModel

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def do_HEAD(self) -> None:
        self._send("application/json", "")

    def do_GET(self) -> None:
        self._send("application/json", '{"data": [], "models": []}')

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        body = json.loads(raw or b"{}")
        self.server.requests.append(body)
        path = self.path.partition("?")[0]
        for part, answer in _ANSWERS.items():
            if part in path:
                events = answer(self.server, body)
                if body.get("stream") is False or path.endswith((":generateContent", "_tokens")):
                    return self._send("application/json", json.dumps(events[0]))
                return self._send("text/event-stream", "".join(map(_format_event, events)))
        return self._send("application/json", "{}")

    def _send(self, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _format_event(event: Event) -> str:
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {json.dumps(event)}\n\n"


def _count_blocks(messages: Sequence[Event], kind: str) -> int:
    blocks = [block for each in messages for block in each.get("content") or []]
    return sum(isinstance(block, dict) and block.get("type") == kind for block in blocks)


def _answer_anthropic(model: ScriptedModel, body: Event) -> list[Event]:
    results = _count_blocks(body.get("messages", ()), "tool_result")
    call = model.choose_call(body, results)
    block: Event = {"type": "text", "text": ""}
    delta: Event = {"type": "text_delta", "text": FAREWELL}
    if call:
        block = {
            "type": "tool_use",
            "id": f"toolu_{model.server_port}_{results}",
            "name": call.tool,
            "input": {},
        }
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call.arguments)}
    usage = {"input_tokens": 10, "output_tokens": 5}
    message: Event = {
        "id": f"msg_{len(model.requests)}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": [],
        "stop_reason": None,
        "usage": usage,
    }
    if not body.get("stream"):
        done = {"content": [{"type": "text", "text": FAREWELL}], "stop_reason": "end_turn"}
        return [{**message, **done, "input_tokens": 10}]
    end = {"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None}
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": usage},
        {"type": "message_stop"},
    ]


def _answer_responses(model: ScriptedModel, body: Event) -> list[Event]:
    given = body["input"] if isinstance(body.get("input"), list) else []
    results = sum(each.get("type") == "function_call_output" for each in given)
    call = model.choose_call(body, results)
    said = {"type": "output_text", "text": FAREWELL, "annotations": []}
    item: Event = {"type": "message", "id": "m", "role": "assistant", "content": [said]}
    if call:
        item = {"type": "function_call", "id": f"fc_{results}", "call_id": f"call_{results}"}
        item |= {"name": call.tool, "arguments": json.dumps(call.arguments)}
        item |= {"namespace": call.namespace} if call.namespace else {}
    ident = f"resp_{len(model.requests)}"
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    done: Event = {"id": ident, "object": "response", "status": "completed", "usage": usage}
    return [
        {"type": "response.created", "response": {"id": ident}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": done | {"output": [item]}},
    ]


def _answer_chat(model: ScriptedModel, body: Event) -> list[Event]:
    results = sum(each.get("role") == "tool" for each in body.get("messages", ()))
    call = model.choose_call(body, results)
    delta: Event = {"role": "assistant", "content": FAREWELL}
    if call:
        function = {"name": call.tool, "arguments": json.dumps(call.arguments)}
        made = {"index": 0, "id": f"call_{results}", "type": "function", "function": function}
        delta = {"role": "assistant", "tool_calls": [made]}
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
    end = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if call else "stop"}
    return [
        {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**chunk, "choices": [end]},
    ]


def _answer_gemini(model: ScriptedModel, body: Event) -> list[Event]:
    parts = [part for each in body.get("contents", ()) for part in each.get("parts", ())]
    results = sum("functionResponse" in part for part in parts)
    call = model.choose_call(body, results)
    part: Event = {"text": FAREWELL}
    if call:
        function = {"name": call.tool, "args": call.arguments, "id": f"call_{results}"}
        part = {"functionCall": function}
    content = {"role": "model", "parts": [part]}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    return [{"candidates": [candidate], "usageMetadata": usage, "totalTokens": 10}]


_ANSWERS = {
    "/messages": _answer_anthropic,
    "/responses": _answer_responses,
    "/chat/completions": _answer_chat,
    "enerateContent": _answer_gemini,
    "countTokens": _answer_gemini,
}
