"""Measure the proxy for chats: `python -m bench.story_proxy [--messages 10000] [--chats 40]`.

A chat goes on for some questions, in turn straight to a scripted model's server and through
`cortexfs story serve`, which recalls a story of many messages for each. Printed are the times until
the first word, and what the proxy adds. Exit code 1 if it adds 20 ms or more (median).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import make_environment
from bench.story import WORDS, WORDS_PER_MESSAGE

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT, STORY = "road", "chat"
VISIBLE = 40
"""Messages of a request: what a front end shows its model."""
PAUSE_S = 0.3
"""What a person takes at least between an answer and the next question."""
TOKENS = 30
MAX_ADDED_MS = 20.0
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def main() -> int:
    """Print how long the first word takes, straight and through the proxy."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--messages", type=int, default=10_000)
    asked.add_argument("--chats", type=int, default=40)
    given = asked.parse_args()
    chosen = random.Random(1)
    history = [_make_message(chosen, number) for number in range(given.messages)]
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        os.environ.update(make_environment(Path(folder)))
        tree = Path(folder) / "tree"
        tree.mkdir()
        _import(tree, history)
        with _start_upstream() as upstream, _start_proxy(tree, upstream) as (proxy, process):
            cpu = _read_cpu_s(process)
            straight, through = _measure(chosen, history, (upstream, proxy), given.chats)
            cpu = (_read_cpu_s(process) - cpu) / given.chats
    for name, times in (("straight", straight), ("through the proxy", through)):
        print(f"first word {name}: {_describe(times)}")
    added = (statistics.median(through) - statistics.median(straight)) * 1000
    print(f"added: {added:.1f} ms; the proxy takes {cpu * 1000:.0f} ms of the processor for a chat")
    return 0 if added < MAX_ADDED_MS else 1


def _measure(
    chosen: random.Random, history: list[dict[str, str]], ports: tuple[int, int], chats: int
) -> tuple[list[float], list[float]]:
    """Return the seconds until the first word, straight and through the proxy."""
    times: tuple[list[float], list[float]] = ([], [])
    with (
        closing(HTTPConnection("127.0.0.1", ports[0])) as straight,
        closing(HTTPConnection("127.0.0.1", ports[1])) as through,
    ):
        for _ in range(chats):
            history.append(_make_message(chosen, len(history)))
            for to, found in ((straight, times[0]), (through, times[1])):
                time.sleep(PAUSE_S)
                seconds, answer = _ask(to, history[-VISIBLE:])
                found.append(seconds)
            history.append({"role": "assistant", "content": answer})
    return times


def _ask(to: HTTPConnection, messages: list[dict[str, str]]) -> tuple[float, str]:
    """Return the seconds until the first word of an answer, and the answer."""
    body = json.dumps({"model": "m", "stream": True, "messages": messages})
    began = time.perf_counter()
    to.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
    answer = to.getresponse()
    first = answer.readline()
    passed = time.perf_counter() - began
    words = []
    for line in (first, *answer.read().splitlines()):
        if line.startswith(b"data: {"):
            delta = json.loads(line[len(b"data: ") :])["choices"][0]["delta"]
            words.append(delta.get("content", ""))
    return passed, "".join(words)


def _make_message(chosen: random.Random, number: int) -> dict[str, str]:
    role = ("user", "assistant")[number % 2]
    return {"role": role, "content": " ".join(chosen.choices(WORDS, k=WORDS_PER_MESSAGE))}


def _describe(times: list[float]) -> str:
    ordered = sorted(each * 1000 for each in times)
    high = ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)]
    return f"{statistics.median(ordered):.1f} ms (95 %: {high:.1f} ms)"


def _import(tree: Path, history: list[dict[str, str]]) -> None:
    """Make a tree with a story."""
    record = "".join(
        json.dumps(
            {
                "n": number,
                "id": f"m{number}",
                "time": f"2026-05-{1 + number * 27 // len(history):02d}T10:00:00Z",
                "speaker": {"user": "Melina", "assistant": "Kael"}[message["role"]],
                "role": message["role"],
                "text": message["content"],
            }
        )
        + "\n"
        for number, message in enumerate(history, 1)
    )
    words = ("story", "import", "-", "--name", STORY, "--format", "record", "-p", PROJECT)
    for command, said in (
        (("init",), ""),
        (("project", "new", PROJECT, "--goal", "A road"), ""),
        (words, record),
    ):
        subprocess.run(
            [sys.executable, "-m", "cortexfs", "--root", str(tree), *command],
            check=True,
            capture_output=True,
            text=True,
            input=said,
        )


@contextmanager
def _start_proxy(tree: Path, upstream: int) -> Iterator[tuple[int, int]]:
    """Start the proxy; yield its port and its process id."""
    words = ("--upstream", f"http://127.0.0.1:{upstream}", "--port", "0")
    words = ("story", "serve", *words, "--story", STORY, "-p", PROJECT, "--root", str(tree))
    command = [sys.executable, "-m", "cortexfs", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None  # noqa: S101 - it is a pipe
        line = process.stderr.readline()
        try:
            yield int(line.partition("/v1")[0].rpartition(":")[2]), process.pid
        finally:
            process.send_signal(signal.SIGINT)
            print(process.stderr.read(), end="")


def _read_cpu_s(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _start_upstream() -> Iterator[int]:
    """Start a model's server in a process of its own; yield its port."""
    code = "import asyncio; from bench.story_proxy import serve_upstream as f; asyncio.run(f())"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


async def serve_upstream() -> None:
    """Answer each request with the same words at once, and print the port first."""
    events = [
        f'data: {{"choices": [{{"index": 0, "delta": {{"content": "word{number} "}}}}]}}\n\n'
        for number in range(TOKENS)
    ]
    parts = [f"{len(each):x}\r\n{each}\r\n".encode() for each in (*events, "data: [DONE]\n\n")]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            lines = head.lower().split(b"\r\n")
            sizes = [int(each.partition(b":")[2]) for each in lines if b"content-length:" in each]
            await reader.readexactly(sum(sizes))
            writer.write(HEAD)
            for part in (*parts, b"0\r\n\r\n"):
                writer.write(part)
                await writer.drain()

    async def answer_until_gone(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answer(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer_until_gone, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
