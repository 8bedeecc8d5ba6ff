"""Chat through the proxy with the `openai` library: `python tests/clients/check_openai_client.py`.

It needs `pip install openai`, and asks nothing of the internet. Exit code 1 if something differs.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path

import openai

sys.path.insert(0, str(Path(__file__).parents[1]))

from chat_upstream import Upstream, cut_stream, say, send, serve_upstream, stream

from cortexfs.core.stories.chat_record import parse_record

HI = "Who are you?"


def main() -> int:
    """Print what differs."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        for words in (("init", str(tree)), ("project", "new", "road", "--goal", "A road")):
            root = () if words[0] == "init" else ("--root", str(tree))
            _run(*root, *words)
        replies = (
            say("I am Kael.", usage={"total_tokens": 7}),
            stream("I ", "am."),
            send({"error": {"message": "slow down", "code": "rate"}}, 429, Retry_After="1"),
            cut_stream("I "),
            send({"object": "list", "data": [{"id": "m", "object": "model"}]}),
            stream("at ", "once"),
        )
        with serve_upstream(*replies) as upstream:
            failed = _check(tree, upstream)
    print("\n".join(failed) or f"openai {openai.__version__}: as it should be")
    return 1 if failed else 0


def _check(tree: Path, upstream: Upstream) -> list[str]:
    words = ("story", "serve", "--root", str(tree), "--upstream", upstream.url, "--port", "0")
    command = [sys.executable, "-m", "cortexfs", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        address = process.stderr.readline().split()[1]
        try:
            found = _chat(address)
        finally:
            process.terminate()
    record = tree / "projects/road/chats/road.jsonl"
    found["record"] = [each.text for each in parse_record(record.read_text()).messages]
    keys = {dict(head[2]).get("authorization", "") for head in upstream.heads}
    found["key"] = " ".join(sorted(keys))
    return [
        f"{key}: {found[key]!r}, not {value!r}"
        for key, value in WANTED.items()
        if found[key] != value
    ]


WANTED: dict[str, object] = {
    "answer": ("I am Kael.", 7),
    "stream": ["I ", "am."],
    "error": (429, "slow down"),
    "cut": ["I ", "the model's server broke off"],
    "models": ["m"],
    "at once": ["at ", "once"],
    "key": "Bearer sk-test",
    "record": [HI, "I am Kael.", "And?", "I", "Now?", "at once"],
}


def _chat(address: str) -> dict[str, object]:
    given = {"base_url": address, "api_key": "sk-test", "max_retries": 0}
    client = openai.OpenAI(**given, default_headers={"X-Cortexfs-Story": "road"})
    ask = client.chat.completions.create
    question = {"role": "user", "content": HI}
    found: dict[str, object] = {}
    answer = ask(model="m", messages=[question])
    found["answer"] = (answer.choices[0].message.content, answer.usage.total_tokens)
    history = [
        question,
        {"role": "assistant", "content": "I am Kael."},
        {"role": "user", "content": "And?"},
    ]
    found["stream"] = _words(ask(model="m", messages=history, stream=True))
    try:
        ask(model="m", messages=history)
    except openai.RateLimitError as error:
        found["error"] = (error.status_code, error.body["message"])
    words: list[str] = []
    try:
        chunks = ask(model="m", messages=history, stream=True)
        words.extend(chunk.choices[0].delta.content or "" for chunk in chunks)
    except openai.APIError as error:
        words.append(error.message)
    found["cut"] = words
    found["models"] = [each.id for each in client.models.list()]
    later = [*history, {"role": "assistant", "content": "I "}, {"role": "user", "content": "Now?"}]
    found["at once"] = asyncio.run(_ask_at_once(openai.AsyncOpenAI(**given), later))
    return found


async def _ask_at_once(client: openai.AsyncOpenAI, messages: list[dict[str, str]]) -> list[str]:
    answer = await client.chat.completions.create(model="m#road", messages=messages, stream=True)
    chunks = [chunk async for chunk in answer]
    return _words(chunks)


def _words(chunks: object) -> list[str]:
    choices = [chunk.choices for chunk in chunks]
    texts = [each[0].delta.content for each in choices if each]
    return [text for text in texts if text]


def _run(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "cortexfs", *words], check=True, capture_output=True)


if __name__ == "__main__":
    sys.exit(main())
