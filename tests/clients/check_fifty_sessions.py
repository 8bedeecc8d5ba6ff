"""Play fifty sessions through the installed hook commands: nothing is given twice in one session.

    python tests/clients/check_fifty_sessions.py [claude-code|codex|gemini ...]

The commands are those that `cortexfs setup` wrote into the client's settings, each run by a shell
as the client does, with the client's own fields in the event. A session has prompts, reads, resumes
and compactions, and a sub-agent; between sessions the notes are drained, and every fifth time the
tree changes. Checked: no line is given twice between two starts of a context; two sessions on the
same state of the tree begin with the same bytes; a compacted session has the bulletin again.
Exit code 1 if anything is wrong. Not a part of `make test`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bulletin_tree import (
    MATCH,
    PROMPT,
    list_shown_lines,
    make_tree,
    read_bulletin,
    write_atom,
)
from check_real_clients import cortexfs, make_environ

if TYPE_CHECKING:
    from collections.abc import Iterator

SESSIONS, CHANGE_EACH, WORDS = 50, 5, 500
CAP = 10_000


class Facts(NamedTuple):
    """Where a client keeps its hooks, and how it names prompts, reads and compactions."""

    settings: str
    prompt: str
    after_tool: str
    sources: tuple[str, ...]


CLIENTS = {
    "claude-code": Facts(
        ".claude/settings.json",
        "UserPromptSubmit",
        "PostToolUse",
        ("startup", "resume", "compact", "resume", "clear", "resume"),
    ),
    "codex": Facts(
        ".codex/hooks.json",
        "UserPromptSubmit",
        "PostToolUse",
        ("startup", "resume", "compact", "resume", "clear"),
    ),
    "gemini": Facts(
        ".gemini/settings.json",
        "BeforeAgent",
        "AfterTool",
        ("startup", "resume", "clear", "resume"),
    ),
}


class Player:
    """Plays sessions of one client, and keeps every line that each context was given."""

    def __init__(self, client: str, home: Path, tree: Path) -> None:
        self.client, self.home, self.tree = client, home, tree
        self.facts = CLIENTS[client]
        self.hooks = json.loads((home / self.facts.settings).read_text())["hooks"]
        self.environ = make_environ(home) | {"CORTEXFS_DRAIN_QUIET": "off"}
        self.flaws: list[str] = []
        self.blocks: Counter[str] = Counter()

    def play(self, number: int) -> str:
        """Play one session; return the bulletin that it began with."""
        session, begun = f"session-{number}", ""
        seen: Counter[str] = Counter()
        for turn, source in enumerate(self.facts.sources):
            if source == "compact":
                self.send("PreCompact", session, trigger="auto")
            if source in {"compact", "clear"}:
                seen.clear()
            start = self.send("SessionStart", session, source=source)
            begun = begun or start
            if source in {"startup", "compact", "clear"} and 'source="bulletin/' not in start:
                self.flaws.append(f"{session}, {source}: no bulletin")
            texts = [start, *self.take_turn(session, turn)]
            seen.update(line for text in texts for line in list_shown_lines(text))
            self.flaws += [
                f"{session}, {source}: twice: {line}" for line, n in seen.items() if n > 1
            ]
        agent = self.send("SubagentStart", session, agent_id=f"a{number}", agent_type="Explore")
        again = self.send("SubagentStart", session, agent_id=f"b{number}", agent_type="Explore")
        if agent != again or bool(agent) != ("SubagentStart" in self.hooks):
            self.flaws.append(f"{session}: sub-agents got {len(agent)} and {len(again)} characters")
        self.send("Stop", session)
        self.send("SessionEnd", session, reason="other")
        return begun

    def take_turn(self, session: str, turn: int) -> Iterator[str]:
        """Yield what a session gets for prompts and reads, the same ones in each turn."""
        for prompt in (PROMPT, "go on", PROMPT, "Show the cache block of table page größe."):
            yield self.send(self.facts.prompt, session, prompt=prompt)
        for path in (MATCH, MATCH, "projects/app/STATUS.md", "projects/app/mission.md"):
            yield self.send(self.facts.after_tool, session, **self.make_read(path, turn))

    def make_read(self, path: str, turn: int) -> dict[str, object]:
        """Return the fields of a finished read, as the client reports it."""
        file = str(self.tree / path)
        if self.client == "codex":
            tool: dict[str, object] = {
                "tool_name": "Bash",
                "tool_input": {"command": f"cat {file}"},
            }
            return {**tool, "tool_use_id": f"t{turn}{path}", "tool_response": "text"}
        if self.client == "gemini":
            response = {"llmContent": "text", "returnDisplay": ""}
            tool = {"tool_name": "read_file", "tool_input": {"file_path": file}}
            return {**tool, "tool_response": response, "timestamp": f"2026-05-28T10:00:0{turn}Z"}
        response = {"type": "text", "file": {"filePath": file, "content": "text"}}
        tool = {"tool_name": "Read", "tool_input": {"file_path": file}}
        return {**tool, "tool_use_id": f"t{turn}{path}", "tool_response": response}

    def send(self, event: str, session: str, **fields: object) -> str:
        """Run the hooks of an event, as the client does; return what the model gets."""
        common = {"session_id": session, "cwd": str(self.home / "app"), "hook_event_name": event}
        feed = json.dumps({**common, **fields})
        texts = []
        for group in self.hooks.get(event, ()):
            words = group.get("matcher", "").split("|")
            if group.get("matcher", "*") in {"", "*"} or fields.get("tool_name") in words:
                texts += [self.run_hook(hook["command"], feed) for hook in group["hooks"]]
        return "\n".join(texts)

    def run_hook(self, command: str, feed: str) -> str:
        done = subprocess.run(
            ["sh", "-c", command], input=feed, env=self.environ, cwd=self.home / "app",
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        if done.returncode or done.stderr:
            self.flaws.append(f"exit code {done.returncode}: {done.stderr}")
        text = done.stdout
        if text.startswith("{"):
            text = json.loads(text)["hookSpecificOutput"]["additionalContext"]
        size = len(text.encode()) if self.client == "codex" else len(text)
        if size > CAP:
            self.flaws.append(f"{size} characters: {text[:80]!r}")
        self.blocks.update(part.partition('"')[0] for part in text.split('source="')[1:])
        return text


def check_client(client: str) -> bool:
    """Play the sessions of one client, and print what was wrong."""
    with tempfile.TemporaryDirectory(prefix="cortexfs-fifty-") as at:
        home = Path(at)
        (home / "app").mkdir()
        tree = make_tree(home, WORDS)
        cortexfs(home, "setup", client, "--yes")
        player = Player(client, home, tree)
        begun: dict[str, str] = {}
        for number in range(SESSIONS):
            if number % CHANGE_EACH == 0:
                write_atom(tree, f"projects/app/knowledge/K-{500 + number}.md", f"Found {number}")
                cortexfs(home, "hook", "drain")
            state = read_bulletin(tree)
            text = player.play(number)
            if begun.setdefault(state, text) != text:
                player.flaws.append(f"session-{number} began with other bytes than one before it")
            cortexfs(home, "hook", "drain")
    for kind in ("bulletin/app", "prompt", "CORTEX.md"):
        if player.blocks[kind] < SESSIONS:
            player.flaws.append(f"{kind} was given {player.blocks[kind]} times")
    print(f"{client}: {'FAILED' if player.flaws else 'ok'}: {SESSIONS} sessions,",
          f"{len(begun)} bulletins, blocks: {dict(player.blocks)}")  # fmt: skip
    print(*player.flaws[:20], sep="\n  ")
    return not player.flaws


if __name__ == "__main__":
    passed = [check_client(name) for name in sys.argv[1:] or CLIENTS]
    sys.exit(0 if all(passed) else 1)
