"""Parsing any note of a hook raises nothing and invents no read."""

from __future__ import annotations

import json
import shlex
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from recorded_home import RECORDED, TS, RecordedHome, make_recorded_home

from cortexfs.core.access_events.note_to_access_events import parse_access_events
from cortexfs.core.access_events.shell_parser import UnclearCommand, parse_command
from cortexfs.core.access_events.shell_words import ShellState, expand_word

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "~/.cortex/context/projects/flywheel/experiments"
PIECES = st.from_regex(
    r"cat|grep|-rn|-l|-c|rg|sed|-n|1p|head|-3|cd|echo|\||\|\||&&|;|&|\n|>|>>|<|2>&1|['\"\\$`~#!]|"
    r"\$HOME|\$\{HOME\}|\$\(|[(){}*?\[\]]|\{a,b\}|\{1\.\.3\}|A=1|\$A|--|\.|\.\.|/|EXP-00|\.md|:|-|<<|\0",
    fullmatch=True,
)
"""What shell commands are made of."""
PATHS = st.sampled_from([FOLDER, f"{FOLDER}/EXP-001.md", "EXP-*.md", f"{FOLDER}/../knowledge"])
COMMANDS = st.lists(PIECES | PATHS | st.text(max_size=4), max_size=14).map(" ".join)
COMMANDS |= st.lists(PIECES | PATHS, max_size=14).map("".join)
LINES = st.lists(PATHS | PIECES | st.text(max_size=5), max_size=9).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | LINES | COMMANDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
KEYS = st.sampled_from(["command", "path", "file_path", "stdout", "content", "filenames", "mode"])
KEYS |= st.sampled_from(["output_mode", "interrupted", "backgroundTaskId"])
KEYS |= st.sampled_from(
    ["dir_path", "names_only", "llmContent", "returnDisplay", "matches", "error"]
)
KEYS |= st.sampled_from(["filePath", "workdir", "output", "metadata", "truncated"])
FIELDS = st.dictionaries(KEYS, JSON | st.lists(LINES, max_size=3) | COMMANDS | LINES)
EVENTS = st.fixed_dictionaries(
    {"tool_name": st.sampled_from(["Read", "Grep", "Bash", "cortexfs"]) | JSON},
    optional={
        "tool_input": FIELDS | JSON,
        "tool_response": FIELDS | JSON,
        "cwd": st.sampled_from(["/home", "/home/app", FOLDER]) | JSON,
        "session_id": JSON,
        "hook_event_name": st.just("PostToolUse") | JSON,
    },
)
ANSWERS = st.sampled_from(
    [
        "Found 2 files with matches for pattern",
        "Found 1 match for pattern\n---\nFile: ",
        "<untrusted_context>\nOutput: ",
        "Warning: truncated output\n\n",
        "...output truncated...\n\nFull output saved to: x\n\n",
        "grep: ",
        "",
    ]
)
OUTPUTS = st.lists(ANSWERS | LINES, max_size=5).map("\n".join)
GEMINI_EVENTS = st.fixed_dictionaries(
    {
        "hook_event_name": st.just("AfterTool"),
        "tool_name": st.sampled_from(["read_file", "grep_search", "run_shell_command"]) | JSON,
    },
    optional={
        "tool_input": FIELDS | JSON,
        "tool_response": st.fixed_dictionaries({"llmContent": OUTPUTS}) | FIELDS | JSON,
        "cwd": st.sampled_from(["/home", "/home/app", FOLDER]) | JSON,
    },
)
CODEX_EVENTS = st.fixed_dictionaries(
    {
        "hook_event_name": st.just("PostToolUse"),
        "tool_name": st.just("Bash"),
        "tool_input": st.fixed_dictionaries({"command": COMMANDS}),
        "tool_response": OUTPUTS,
    },
)
OPENCODE_EVENTS = st.fixed_dictionaries(
    {"callID": JSON, "tool": st.sampled_from(["read", "grep", "bash"]) | JSON},
    optional={
        "args": FIELDS | JSON,
        "output": st.fixed_dictionaries({"output": OUTPUTS}) | FIELDS | JSON,
        "directory": st.sampled_from(["/home", "/home/app", FOLDER]) | JSON,
    },
)
RECORDINGS = sorted(RECORDED.glob("*/*-*.json"))


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> RecordedHome:
    return make_recorded_home(tmp_path_factory.mktemp("shared") / "dev")


def parse_reads(recorded: RecordedHome, payload: bytes) -> list[Any]:
    events = parse_access_events("1.1", TS, payload, recorded.resolver)
    keys = [(event.project, event.file) for event in events]
    assert keys == sorted(set(keys))
    for event in events:
        assert event.file == "_directory_search" or list(recorded.context.rglob(event.file))
    return keys


@settings(max_examples=3 * settings().max_examples, suppress_health_check=[HealthCheck.too_slow])
@given(EVENTS | GEMINI_EVENTS | CODEX_EVENTS | OPENCODE_EVENTS)
def test_parsing_an_event_never_raises(shared_home: RecordedHome, event: dict[str, Any]) -> None:
    text = json.dumps(event).replace("/home", str(shared_home.home))
    parse_reads(shared_home, text.encode())
    parse_reads(shared_home, text.encode()[: len(text) // 2])


@given(st.binary(max_size=60) | JSON.map(json.dumps).map(str.encode))
def test_a_payload_that_is_not_an_event_reads_nothing(
    shared_home: RecordedHome, payload: bytes
) -> None:
    assert parse_reads(shared_home, payload) == []


def drop_answer(payload: bytes) -> bytes:
    """Return an event without its response, as if it had been cut off there."""
    event = json.loads(payload)
    return json.dumps(
        {key: event[key] for key in event.keys() - {"tool_response", "output"}}
    ).encode()


@given(st.sampled_from(RECORDINGS), st.data())
def test_a_damaged_recording_adds_no_reads(
    shared_home: RecordedHome, recording: Path, data: st.DataObject
) -> None:
    whole = recording.read_bytes().replace(b"/home/dev", str(shared_home.home).encode())
    at = data.draw(st.integers(0, len(whole)))
    before = parse_reads(shared_home, whole) + parse_reads(shared_home, drop_answer(whole))
    variants = [whole[:at]]
    if recording.parent.name.startswith("2"):  # others say in the text itself that it is empty
        variants.append(whole[:at] + b"\xff" + whole[at:])
    for damaged in variants:
        assert set(parse_reads(shared_home, damaged)) <= {
            *before,
            ("flywheel", "_directory_search"),
        }


@given(COMMANDS)
def test_a_command_is_parsed_or_reported_as_unclear(command: str) -> None:
    with suppress(UnclearCommand):
        parse_command(command)


@given(st.lists(COMMANDS.filter(lambda word: "\0" not in word), min_size=1, max_size=4))
def test_quoted_words_expand_to_themselves(shared_home: RecordedHome, words: list[str]) -> None:
    (step,) = parse_command(f"cat {shlex.join(words)} '' | head")
    shell = ShellState(str(shared_home.home), {}, shared_home.resolver)
    expanded = [path for word in step.commands[0].words for path in expand_word(word, shell)]
    assert expanded == ["cat", *(f"./{word}" if word[:1] == "~" else word for word in words), ""]


@pytest.mark.parametrize("payload", [b"[" * 100_000, b'{"a":' * 100_000, b'{"a":' + b"9" * 9999])
def test_a_hostile_payload_reads_nothing(shared_home: RecordedHome, payload: bytes) -> None:
    assert parse_reads(shared_home, payload) == []
