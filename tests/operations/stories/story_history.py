"""A story that is changed step by step, by imports, messages and the hands of a person."""

from __future__ import annotations

import re
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.stories.chat_record import parse_record
from cortexfs.core.stories.message import Message
from cortexfs.operations.stories.append_message import append_message
from cortexfs.operations.stories.import_story import import_story
from cortexfs.operations.stories.rebuild_story import rebuild_story
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)
PROJECT = "projects/flywheel"
FOLDERS = ("chats", "chunks", "entities")
WRITE = ExecutionMode.WRITE
TEXTS = (
    "Melina said that Kael was a smith from Dustwell. Kael sighed.",
    'Kael betrayed Voss at Dustwell. "I swear it," Voss said.',
    "Voss was killed. Melina wept. Melina fears the sea.",
    "Melina Vance, a swordswoman, wields the Starblade. Kael kissed Melina.",
    "My name is Melina but everyone calls me Mel. Mel laughed at Kael.",
    "Nothing happened, and the rain fell.",
    'Orin arrived at Thornhold. "Orin!" cried Mel. Orin is a rider of the north.',
    "The Sons of Calydon attacked Thornhold. Orin fled. Voss came back.",
    '<font color=#abc>"Go,"</font> said Kael. <font color=red>Melina ran.</font>',
    "# Kael\n---\nid: EXP-001\n---\n[[K-001]] <b>Voss</b> `x`",
)  # fmt: skip
SPEAKERS = ("Melina", "Kael", "../x", "🌸Luna🌸", "Narrator")


class StoryHistory:
    """One story in a tree, and how a step changes it; a number chooses what it concerns."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in FOLDERS:
            shutil.rmtree(root / PROJECT / folder, ignore_errors=True)
        self.session = Session.open(str(root), lambda: NOW)
        self.forget_what_is_kept()
        self.own_lines: dict[str, set[str]] = {}
        self.struck: dict[str, set[str]] = {}
        self.fields: dict[str, dict[str, str]] = {}
        self.removed: set[str] = set()
        self.edited_chunks: dict[str, str] = {}
        self.count = 0

    def reopen(self) -> None:
        """Go on as another command does: nothing is kept in memory."""
        self.session.close()
        self.session = Session.open(str(self.root), lambda: NOW)

    def forget_what_is_kept(self) -> None:
        """Delete what is derived from the files, in memory and beside them."""
        for kept in ("stories", "story-builds"):
            shutil.rmtree(self.root / ".cortexfs" / kept, ignore_errors=True)
        self.reopen()

    def find_lost(self) -> list[str]:
        """Return each decision of a person that the files do not show."""
        files = {path.name: path.read_text() for path in self.list_entities()}
        lost = [f"{name} is back" for name in self.removed & files.keys()]
        for name, own in self.own_lines.items():
            lost += [f"{name}: {line}" for line in own if line not in files.get(name, "")]
        for name, fields in self.fields.items():
            wanted = {f"\n{key}: {value}\n" for key, value in fields.items()}
            lost += [f"{name}: {each}" for each in wanted if each not in files.get(name, "")]
        for name, meanings in self.struck.items():
            lines = {_find_meaning(line) for line in files.get(name, "").split("\n")}
            lost += [f"{name} has again {each}" for each in meanings & lines]
        for name, text in self.edited_chunks.items():
            if (self.root / PROJECT / "chunks" / name).read_text() != text:
                lost.append(name)
        return lost

    @property
    def messages(self) -> list[Message]:
        path = self.root / PROJECT / "chats/road.jsonl"
        text = path.read_text() if path.exists() else ""
        return [message._replace(ident="") for message in parse_record(text).messages]

    def say(self, at: int) -> Message:
        self.count += 1
        text = f"{TEXTS[at % len(TEXTS)]} ({self.count})"
        return Message("", "", SPEAKERS[at // 7 % len(SPEAKERS)], "user", text)

    def bring(self, messages: Sequence[Message]) -> None:
        import_story(self.session, "flywheel", "road", messages, mode=WRITE)

    def append(self, at: int) -> None:
        append_message(self.session, "flywheel", "road", self.say(at), mode=WRITE)

    def lengthen(self, at: int) -> None:
        self.bring([*self.messages, *(self.say(at + more) for more in range(at % 4 + 1))])

    def insert(self, at: int) -> None:
        messages = self.messages
        place = at % (len(messages) + 1)
        self.bring([*messages[:place], self.say(at), *messages[place:]])

    def edit(self, at: int) -> None:
        messages = self.messages
        if messages:
            place = at % len(messages)
            messages[place] = messages[place]._replace(text=self.say(at).text)
            self.bring(messages)

    def swipe(self, at: int) -> None:
        messages = self.messages
        if messages:
            old = messages[at % len(messages)]
            swiped = (*old.swiped, old.text)
            messages[at % len(messages)] = old._replace(text=self.say(at).text, swiped=swiped)
            self.bring(messages)

    def delete(self, at: int) -> None:
        messages = self.messages
        if len(messages) > 2:
            del messages[at % (len(messages) - 1)]
            self.bring(messages)

    def rebuild(self, at: int) -> None:
        if self.messages:
            if at % 2:
                self.reopen()
            rebuild_story(self.session, "flywheel", "road", mode=WRITE)

    def list_entities(self) -> list[Path]:
        return sorted((self.root / PROJECT / "entities").glob("ENT-*.md"))

    def change_entity(self, at: int, change: Callable[[str, str], str]) -> None:
        files = self.list_entities()
        if files:
            path = files[at % len(files)]
            text = path.read_text()
            path.write_text(change(path.name, text))

    def add_fact(self, at: int) -> None:
        self.count += 1
        line = f"- Own fact {self.count}"

        def add(name: str, text: str) -> str:
            self.own_lines.setdefault(name, set()).add(line)
            head, heading, rest = text.partition("\n## Facts\n\n")
            return f"{head}{heading}{line}\n{rest}" if heading else f"{text}{line}\n"

        self.change_entity(at, add)

    def strike(self, at: int) -> None:
        def strike(name: str, text: str) -> str:
            lines = re.findall(r"^- .*\n", text, re.MULTILINE)
            lines = [line for line in lines if not line.startswith("- Own")]
            if not lines:
                return text
            line = lines[at % len(lines)]
            self.struck.setdefault(name, set()).add(_find_meaning(line))
            return text.replace(line, "", 1)

        self.change_entity(at, strike)

    def change_line(self, at: int) -> None:
        self.count += 1
        line = f"- Own line {self.count}\n"

        def change(name: str, text: str) -> str:
            lines = re.findall(r"^- .*\n", text, re.MULTILINE)
            lines = [line for line in lines if not line.startswith("- Own")]
            if not lines:
                return text
            old = lines[at % len(lines)]
            self.own_lines.setdefault(name, set()).add(line.strip())
            self.struck.setdefault(name, set()).add(_find_meaning(old))
            return text.replace(old, line, 1)

        self.change_entity(at, change)

    def set_status(self, at: int) -> None:
        self._set_field(at, "status", ("inactive", "deceased", "unknown")[at % 3])

    def set_type(self, at: int) -> None:
        self._set_field(at, "type", ("character", "faction", "item")[at % 3])

    def _set_field(self, at: int, key: str, value: str) -> None:
        def change(name: str, text: str) -> str:
            if f"\n{key}: {value}\n" not in text:
                self.fields.setdefault(name, {})[key] = value
            return re.sub(rf"^{key}: .*$", f"{key}: {value}", text, count=1, flags=re.MULTILINE)

        self.change_entity(at, change)

    def add_alias(self, at: int) -> None:
        self.count += 1
        alias = f"Alias{self.count}"

        def change(name: str, text: str) -> str:
            self.own_lines.setdefault(name, set()).add(alias)
            if "\naliases: [" in text:
                return text.replace("\naliases: [", f"\naliases: [{alias}, ", 1)
            return text.replace("\n---\n", f"\naliases: [{alias}]\n---\n", 1)

        self.change_entity(at, change)

    def remove(self, at: int) -> None:
        files = self.list_entities()
        if files:
            path = files[at % len(files)]
            self.removed.add(path.name)
            path.unlink()
            for known in (self.own_lines, self.struck, self.fields):
                known.pop(path.name, None)

    def edit_chunk(self, at: int) -> None:
        self.count += 1
        files = sorted((self.root / PROJECT / "chunks").glob("CH-*.md"))
        if files:
            path = files[at % len(files)]
            text = f"{path.read_text()}\nOwn note {self.count}.\n"
            self.edited_chunks[path.name] = text
            path.write_text(text)


def _find_meaning(line: str) -> str:
    """Return what stays of a line when its figures change: `- [i:5] Fears fire`, `- ally: Kael`."""
    return re.split(r"[;%(,]|: [#\d]", line.strip().replace("\\", ""))[0].strip()


CHAT_STEPS = ("append", "lengthen", "insert", "edit", "swipe", "delete", "rebuild")
HAND_STEPS = (
    *("add_fact", "strike", "change_line", "set_status", "set_type", "add_alias", "remove"),
    "edit_chunk",
)


def snapshot(root: Path) -> dict[str, str]:
    """Read the record, the chunks and the entities of a story, with names in place of numbers.

    The numbers of entities, and of chunks that were removed, say in which order they were made.
    """
    found = {
        str(path.relative_to(root / PROJECT)): path.read_text()
        for each in FOLDERS
        for path in (root / PROJECT / each).glob("*")
        if path.name not in {"index.md", "_generated.tsv"}
    }
    names = {}
    for path, text in found.items():
        if path.startswith("entities/"):
            names[path[9:16]] = re.search(r"^summary: (.*)$", text, re.MULTILINE)[1]
        elif path.startswith("chunks/"):
            names[path[7:14]] = re.search(r"^messages: (.*)$", text, re.MULTILINE)[1]
    pattern = re.compile("|".join(map(re.escape, names)) or "$^")

    def rename(text: str) -> str:
        named = pattern.sub(lambda ref: f"<{names[ref[0]]}>", text)
        return re.sub(r"^build: .*\n", "", named, flags=re.MULTILINE)

    return {rename(path).partition(">")[0]: rename(text) for path, text in found.items()}
