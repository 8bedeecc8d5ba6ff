"""A person who chats with the cortex of a tree, and the small program that is the model."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from model_server import configure_model

from cortexfs.core.chat.chat_event import Done
from cortexfs.operations.chat.send_message import ChatRequest, send_message
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from place import Place

    from cortexfs.core.chat.chat_event import ChatEvent
    from cortexfs.core.chat.chat_message import ChatMessage

NOON = datetime(2026, 5, 6, 12, tzinfo=UTC)

MODEL = """
import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
number = len(list(folder.glob("asked-*")))
(folder / f"asked-{number}").write_text(sys.stdin.read())
print((folder / f"reply-{number}").read_text())
"""
"""A model that says what is in the files `reply-0`, `reply-1`, and keeps what it was asked."""


class Chat(NamedTuple):
    """One person with one thread. Each message is sent a minute after the one before."""

    session: Session
    environ: Mapping[str, str]
    thread: str = "t"

    def list_events(self, text: str, **more: str) -> list[ChatEvent]:
        request = ChatRequest(text, str(self.session.tree.root), self.thread, **more)
        return list(send_message(self.session, request, self.environ))

    def ask(self, text: str, **more: str) -> ChatMessage:
        """Send a message; return the answer."""
        last = self.list_events(text, **more)[-1]
        assert isinstance(last, Done), last
        return last.message

    def say(self, text: str) -> str:
        return self.ask(text).content


def open_chat(place: Place, environ: Mapping[str, str] | None = None, thread: str = "t") -> Chat:
    moments = iter(NOON + timedelta(seconds=number) for number in range(100_000))
    session = Session.open(str(place.root), lambda: next(moments))
    home = str(place.root.parent / "nobody")
    return Chat(session, environ or {"HOME": home, "XDG_CONFIG_HOME": home}, thread)


def call(tool: str, **args: str) -> dict[str, Any]:
    pairs = [{"name": name, "value": value} for name, value in args.items()]
    return {"tool": tool, "arguments": pairs, "answer": ""}


def answer(text: str) -> dict[str, Any]:
    return {"tool": "answer", "arguments": [], "answer": text}


def script_model(folder: Path, *replies: dict[str, Any], **settings: object) -> dict[str, str]:
    """Make a model that gives these replies; return the environment in which it is configured."""
    program = folder / "model.py"
    program.write_text(MODEL)
    for number, reply in enumerate(replies):
        (folder / f"reply-{number}").write_text(json.dumps(reply))
    command = [sys.executable, "-I", "-S", str(program), str(folder)]
    return configure_model(folder, command=command, timeout=30, **settings)


def read_questions(folder: Path) -> list[str]:
    """Return what the model was asked."""
    count = len(list(folder.glob("asked-*")))
    return [(folder / f"asked-{number}").read_text() for number in range(count)]
