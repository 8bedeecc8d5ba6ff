"""Let each agent on the PATH begin sessions in a tree with a bulletin, and read its requests.

    python tests/clients/check_bulletin.py [claude|codex|gemini|opencode ...]

Each agent has a home of its own, is set up by `cortexfs setup`, and talks to a scripted model; the
bulletin is rendered by `cortexfs hook drain`. Checked: the first request has the bulletin once, as
rendered, and one of 4,000 words cut within the client's cap; a prompt gets the atom that it is
about, a read the CORTEX.md above it; a second session on the same tree gets the same bytes. Claude
Code has the bulletin again after a compaction, and in a sub-agent. OpenCode also runs without its
plugin. Exit code 1 if anything is missing. Not a part of `make test`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bulletin_tree import MATCH, PROMPT, SUMMARY, make_tree, read_bulletin
from check_agents import AGENTS, TIMEOUT_S
from check_real_clients import cortexfs, make_environ
from scripted_model import INNER_PROMPT, ScriptedModel, ToolCall, serve_model

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from check_agents import Agent

DEFAULT_WORDS, MOST_WORDS = 500, 4000
CAPS = {"claude": 10_000, "codex": 10_000, "gemini": 30_000, "opencode": 30_000}
READS = {
    "claude": ("Read", "file_path"),
    "gemini": ("read_file", "file_path"),
    "opencode": ("read", "filePath"),
}
OPEN, CLOSE = '<cortex-memory source="', "</cortex-memory>"
CHANGING = re.compile(
    r"(msg_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|cch=[0-9a-f]+|session-[0-9a-z-]+"
    r"|\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d:\d\d:\d\d|(?m:^[│ ]*[├└]───.*\n?)"
)
"""What clients change from one session to the next: ids, times of day, and in Gemini CLI the
listing of its folders."""
PROMPT_KEYS = {"system", "messages", "instructions", "input", "contents", "systemInstruction"}
"""The parts of a request that the model reads; with the tools, they are what is cached."""


class Block(NamedTuple):
    """A block of ours in a request: its source, and its text without frame."""

    source: str
    text: str


def check_agent(agent: Agent) -> bool:
    """Run the sessions of one agent, and print what was wrong."""
    flaws: list[str] = []
    for words in (DEFAULT_WORDS, MOST_WORDS):
        with tempfile.TemporaryDirectory(
            prefix="cortexfs-brief-", ignore_cleanup_errors=True
        ) as at:
            home = Path(at)
            tree = prepare(agent, home, words)
            first = run_first_session(agent, home)
            flaws += [f"{words} words: {flaw}" for flaw in find_flaws(agent, first, tree)]
            if words == DEFAULT_WORDS:
                second = run_first_session(agent, home)
                flaws += find_changed_bytes(first, second)
                flaws += find_flaws_of_claude(agent, home) if agent.program == "claude" else []
    if agent.program == "opencode":
        flaws += find_flaws_without_plugin(agent)
    print(f"{agent.program}: {'FAILED' if flaws else 'ok'}", *flaws, sep="\n  ")
    return not flaws


def make_home() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is removed, even if a client still writes into it."""
    return tempfile.TemporaryDirectory(prefix="cortexfs-brief-", ignore_cleanup_errors=True)


def prepare(agent: Agent, home: Path, words: int, *, plugin: bool = True) -> Path:
    """Make a tree with a bulletin of so many words, and set up the agent; return the tree."""
    (home / "app").mkdir()
    tree = make_tree(home, words)
    is_opencode = agent.setup == "opencode"
    options = ["--plugin"] if is_opencode and plugin else []
    cortexfs(home, "setup", agent.setup, "--yes", "--allow-commands", *options)
    modules = os.environ.get("OPENCODE_PLUGIN_FOLDER")
    if is_opencode and plugin and modules:
        shutil.copytree(modules, home / ".config/opencode", dirs_exist_ok=True)
    return tree


def run_first_session(agent: Agent, home: Path) -> list[dict[str, Any]]:
    """Run a session that reads an atom; return the requests about its prompt."""
    path = str(home / ".cortex/context" / MATCH)
    call = ToolCall("exec_command", {"cmd": f"cat {path}"})
    if agent.program in READS:
        tool, key = READS[agent.program]
        call = ToolCall(tool, {key: path})
    with serve_model([call]) as model:
        words = [PROMPT if word == "Remember what you learn." else word
                 for word in agent.command(home, model.url)]  # fmt: skip
        if agent.program == "codex":
            words.insert(2, "--dangerously-bypass-hook-trust")
        printed = run(agent, home, model, words)
    asked = [each for each in model.requests if each.get("tools") and PROMPT in json.dumps(each)]
    if not asked:
        print(printed[-1500:])
    return asked


def run(agent: Agent, home: Path, model: ScriptedModel, words: Sequence[str]) -> str:
    """Run one headless session; return what it printed."""
    environ = make_environ(home) | agent.environ(model.url) | {"CORTEXFS_DRAIN_QUIET": "off"}
    done = subprocess.run(
        words, cwd=home / "app", env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    return f"exit code {done.returncode}:\n{done.stdout}"


def list_texts(value: object) -> Iterator[str]:
    """Yield the texts in a request, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from list_texts(each)


def list_blocks(request: dict[str, Any]) -> list[Block]:
    """Return our blocks in a request; Gemini CLI escapes the tags."""
    text = "\n".join(list_texts(request)).replace("&lt;", "<").replace("&gt;", ">")
    parts = [part.partition(CLOSE)[0].partition("\n") for part in text.split(OPEN)[1:]]
    return [Block(head.partition('"')[0], rest.partition("\n\n")[2]) for head, _, rest in parts]


def list_sources(requests: Sequence[dict[str, Any]], index: int) -> list[str]:
    """Return the sources of the blocks in one of the requests."""
    return [block.source for block in list_blocks(requests[index])] if requests else ["no request"]


def find_flaws(agent: Agent, requests: Sequence[dict[str, Any]], tree: Path) -> Iterator[str]:
    """Yield what is missing in the requests of the first session."""
    if sorted(list_sources(requests, 0)) != ["bulletin/app", "prompt"]:
        yield f"the first request has {list_sources(requests, 0)}"
        return
    blocks = {block.source: block.text for block in list_blocks(requests[0])}
    rendered, whole = read_bulletin(tree), blocks["bulletin/app"].strip()
    size = len(whole.encode()) if agent.program == "codex" else len(whole)
    where, _, shown = whole.partition("\n\n")
    if not where.startswith(f"Paths are below {tree}"):
        yield f"it does not say where the tree is: {where!r:.200}"
    if size > CAPS[agent.program]:
        yield f"the bulletin has a length of {size}"
    if len(rendered) < CAPS[agent.program] and shown != rendered:
        yield f"the bulletin is not the rendered one: {shown!r:.300}"
    if len(rendered) >= CAPS[agent.program]:
        lines, _, last = shown.rpartition("\n")
        is_cut = rendered.startswith(lines) and "more lines left out: `cortexfs brief" in last
        if not is_cut or size < CAPS[agent.program] * 0.9:
            yield f"the bulletin is not cut at a line: {size}, {last!r}"
    if SUMMARY not in blocks["prompt"]:
        yield f"the prompt got: {blocks['prompt']}"
    if sorted(list_sources(requests, -1)) != ["CORTEX.md", "bulletin/app", "prompt"]:
        yield f"the last request has {list_sources(requests, -1)}"


def find_changed_bytes(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the texts of the first requests of two sessions that differ, but for ids and times.

    A client does not wait for the tools of a server that starts slowly: tools of both are compared.
    """
    common = set.intersection(*(set(map(str, list_tools(each))) for each in (first, second)))
    texts = [list(list_prompt_texts(each[:1], common)) for each in (first, second)]
    if not first or len(texts[0]) != len(texts[1]):
        yield f"the first requests have {len(texts[0])} and {len(texts[1])} texts"
    for before, after in zip(*texts, strict=False):
        same = (n for n, pair in enumerate(zip(before, after, strict=False)) if len({*pair}) > 1)
        start = max(next(same, 0) - 60, 0)
        if before != after:
            yield f"changed: {before[start:]!r:.300}\n    {after[start:]!r:.300}"


def list_tools(requests: Sequence[dict[str, Any]]) -> list[object]:
    """Return the names of the tools of the first request, wherever its client puts them."""
    tools = requests[0].get("tools", []) if requests else []
    return [each.get("name") or each.get("function", {}).get("name") for each in tools]


def list_prompt_texts(requests: Sequence[dict[str, Any]], tools: Collection[str]) -> Iterator[str]:
    """Yield what the model reads, without what the client itself changes, and with some tools."""
    for request in requests:
        named = zip(request.get("tools", []), list_tools([request]), strict=True)
        shown = {**request, "tools": [each for each, name in named if str(name) in tools]}
        for key in sorted({*PROMPT_KEYS, "tools"} & shown.keys()):
            for text in list_texts(shown[key]):
                yield CHANGING.sub("", text)


def find_flaws_of_claude(agent: Agent, home: Path) -> Iterator[str]:
    """Yield what is missing after a resume, after a compaction, and in a sub-agent."""
    version = subprocess.run(
        ["claude", "--version"], capture_output=True, text=True, check=True, env=make_environ(home)
    ).stdout
    is_first_version = version.startswith("1.0")  # each resumed session has a new id there
    for name, prompt, bulletins in (
        ("resumed", "and now?", 1),
        ("compacted", "/compact", None),
        ("after the compaction", "what next?", 1),
        ("resumed again", "and then?", 1),
    ):
        with serve_model([]) as model:
            run(agent, home, model, ["claude", "-p", prompt, "--continue"])
        asked = [each for each in model.requests if each.get("tools")]
        found = list_sources(asked, 0).count("bulletin/app")
        if bulletins is not None and found != bulletins and not is_first_version:
            yield f"{name}: {found} bulletins"
        if bulletins is None and "leave it out of the summary" not in json.dumps(model.requests):
            yield f"{name}: the summariser did not get our line"
    sources = delegate(agent, home)
    if sources != ["bulletin/app"] and not is_first_version:
        yield f"the sub-agent got {sources}"


def delegate(agent: Agent, home: Path) -> list[str]:
    """Let a session start a sub-agent; return the sources of what that gets."""
    task = {"description": "look", "prompt": INNER_PROMPT, "subagent_type": "general-purpose"}
    for tool in ("Agent", "Task"):
        with serve_model([ToolCall(tool, task)]) as model:
            run(agent, home, model, ["claude", "-p", "Delegate."])
        inner = [
            each
            for each in model.requests
            if each.get("tools") and INNER_PROMPT in json.dumps(each["messages"][:1])
        ]
        if inner:
            return list_sources(inner, 0)
    return ["no sub-agent"]


def find_flaws_without_plugin(agent: Agent) -> Iterator[str]:
    """Yield what is wrong in OpenCode with the MCP server alone, which offers the bulletin."""
    with make_home() as at:
        home = Path(at)
        tree = prepare(agent, home, DEFAULT_WORDS, plugin=False)
        with serve_model([ToolCall("cortexfs_cortex_brief", {"project": "app"})]) as model:
            run(agent, home, model, ["opencode", "run", "Begin."])
        asked = [each for each in model.requests if each.get("tools")]
        if not asked or "; cortex_brief shows" not in json.dumps(asked[0]["messages"]):
            yield "without the plugin: the instructions of the server do not name cortex_brief"
        texts = "\n".join(list_texts(asked[-1:]))
        if read_bulletin(tree).splitlines()[3] not in texts:
            yield "without the plugin: cortex_brief did not give the bulletin"


if __name__ == "__main__":
    chosen = [agent for agent in AGENTS if agent.program in (sys.argv[1:] or agent.program)]
    passed = []
    for each in chosen:
        if shutil.which(each.program):
            passed.append(check_agent(each))
        else:
            print(f"{each.program}: not on the PATH")
    sys.exit(0 if all(passed) else 1)
