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
from itertools import accumulate, count
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import make_environment
from bench.story import WORDS, WORDS_PER_MESSAGE

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT, STORY = "road", "chat"
VISIBLE = 40
"""Messages of a request: what a front end shows its model."""
WARM_UP, WARM_UP_S = 3, 2.0
"""Questions that are not counted, and the seconds before each: the tree was imported just now."""
PAUSE_S = 1.0
"""What a person takes at least between an answer and the next question."""
TOKENS = 30
MAX_ADDED_MS = 20.0
SYLLABLES = ["ba", "ke", "lo", "mi", "ru", "sha", "ten", "vor", "zil", "and", "orn", "ith"]
VOCABULARY = WORDS + [a + b + c for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES]
FREQUENCIES = list(accumulate(1 / rank for rank in range(1, len(VOCABULARY) + 1)))
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
        with _start_upstream() as upstream:
            for memories in ("none", "last"):
                with _start_proxy(tree, upstream, memories) as proxy:
                    ports = (upstream, proxy)
                    straight, through = _measure(chosen, history, ports, given.chats)
                print(f"first word, straight: {_describe(straight)}")
                print(f"… through the proxy, --memories {memories}: {_describe(through)}")
    added = (statistics.median(through) - statistics.median(straight)) * 1000
    print(f"added: {added:.1f} ms")
    return 0 if added < MAX_ADDED_MS else 1


def _measure(
    chosen: random.Random, history: list[dict[str, str]], ports: tuple[int, ...], chats: int
) -> list[list[float]]:
    """Return the seconds until the first word for each port."""
    times: list[list[float]] = [[] for _ in ports]
    for number in range(WARM_UP + chats):
        history.append(_make_message(chosen, len(history)))
        for port, found in zip(ports, times, strict=True):
            time.sleep(PAUSE_S if number >= WARM_UP else WARM_UP_S)
            seconds, answer = _ask(port, history[-VISIBLE:], is_recorded=port == ports[-1])
            found.extend([seconds] if number >= WARM_UP else [])
        history.append({"role": "assistant", "content": answer})
    return times


def _ask(port: int, messages: list[dict[str, str]], *, is_recorded: bool) -> tuple[float, str]:
    """Return the seconds until the first word of an answer, and the answer."""
    body = json.dumps({"model": "m", "stream": True, "messages": messages})
    recorded = {} if is_recorded else {"X-Cortexfs-Record": "off"}
    headers = {"Content-Type": "application/json", **recorded}
    with closing(HTTPConnection("127.0.0.1", port)) as to:
        began = time.perf_counter()
        to.request("POST", "/v1/chat/completions", body, headers)
        answer = to.getresponse()
        first = answer.readline()
        passed = time.perf_counter() - began
        rest = answer.read()
    words = []
    for line in (first, *rest.splitlines()):
        if line.startswith(b"data: {"):
            delta = json.loads(line[len(b"data: ") :])["choices"][0]["delta"]
            words.append(delta.get("content", ""))
    return passed, "".join(words)


def _make_message(chosen: random.Random, number: int) -> dict[str, str]:
    """Return a message whose words are as frequent as in a language: the tenth a tenth as often."""
    words = chosen.choices(VOCABULARY, cum_weights=FREQUENCIES, k=WORDS_PER_MESSAGE)
    return {"role": ("user", "assistant")[number % 2], "content": " ".join(words) + "."}


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
def _start_proxy(tree: Path, upstream: int, memories: str) -> Iterator[int]:
    """Start the proxy; yield its port."""
    words = ("--upstream", f"http://127.0.0.1:{upstream}", "--port", "0", "--memories", memories)
    words = ("story", "serve", *words, "--story", STORY, "-p", PROJECT, "--root", str(tree))
    command = [sys.executable, "-m", "cortexfs", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None  # noqa: S101 - it is a pipe
        line = process.stderr.readline()
        try:
            yield int(line.partition("/v1")[0].rpartition(":")[2])
        finally:
            process.send_signal(signal.SIGINT)
            print(process.stderr.read(), end="")


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
    answers = count()

    def write_answer() -> list[bytes]:
        words = [f"{next(answers)}:", *(f"word{number} " for number in range(TOKENS))]
        choices = ({"index": 0, "delta": {"content": word}} for word in words)
        events = [f"data: {json.dumps({'choices': [choice]})}\n\n" for choice in choices]
        return [f"{len(each):x}\r\n{each}\r\n".encode() for each in (*events, "data: [DONE]\n\n")]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            lines = head.lower().split(b"\r\n")
            sizes = [int(each.partition(b":")[2]) for each in lines if b"content-length:" in each]
            await reader.readexactly(sum(sizes))
            writer.write(HEAD)
            for part in (*write_answer(), b"0\r\n\r\n"):
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
