"""What a client says that it will write, and what the file will say then."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.guards.write_request import (
    AFTER,
    BEFORE,
    TextReplacement,
    WriteRequest,
    compute_text_after,
    parse_write_requests,
)

WORDS = st.text("ab\n", max_size=12)


def parse_request(**tool_input: Any) -> WriteRequest:
    event = {
        "hook_event_name": BEFORE,
        "cwd": "/c",
        "tool_input": {"file_path": "/f", **tool_input},
    }
    (request,) = parse_write_requests(json.dumps(event).encode())
    return request


def apply_edit(before: str | None, old: str, new: str, **more: Any) -> str | None:
    return compute_text_after(parse_request(old_string=old, new_string=new, **more), before)


def test_a_write_has_its_path_and_its_content() -> None:
    assert parse_request(content="x") == WriteRequest(BEFORE, "/f", "/c", "x", ())
    event = json.dumps({"hook_event_name": AFTER, "tool_input": {"file_path": "/f"}})
    assert parse_write_requests(event.encode()) == (WriteRequest(AFTER, "/f", "", None, ()),)


def test_one_or_many_edits_are_parsed() -> None:
    one = {"old_string": "a", "new_string": "b", "replace_all": True}
    two = {"old_string": "b", "new_string": "c"}
    assert parse_request(**one).edits == (TextReplacement("a", "b", replace_all=True),)
    assert parse_request(edits=[one, two]).edits == (
        TextReplacement("a", "b", replace_all=True),
        TextReplacement("b", "c"),
    )


@given(before=WORDS, old=st.text("ab\n", min_size=1, max_size=3), new=WORDS)
def test_an_edit_of_a_missing_or_ambiguous_text_gives_no_result(
    before: str, old: str, new: str
) -> None:
    occurrences = before.count(old)
    assert apply_edit(before, old, new) == (before.replace(old, new) if occurrences == 1 else None)
    everywhere = before.replace(old, new) if occurrences else None
    assert apply_edit(before, old, new, replace_all=True) == everywhere


@given(
    st.text("ab\n", min_size=1),
    st.text("ab\n", min_size=1, max_size=3),
    st.text("ab\n", max_size=9),
)
def test_the_result_has_the_line_endings_of_the_file(before: str, old: str, new: str) -> None:
    crlf = before.replace("\n", "\r\n")
    plain = apply_edit(before, old, new, replace_all=True)
    if "\n" in before:
        result = apply_edit(crlf, old, new, replace_all=True)
        assert result == (plain.replace("\n", "\r\n") if plain else plain)


def test_several_edits_apply_in_order_or_not_at_all() -> None:
    first = {"old_string": "a", "new_string": "b"}
    assert (
        compute_text_after(
            parse_request(edits=[first, {"old_string": "b", "new_string": "c"}]), "a"
        )
        == "c"
    )
    assert compute_text_after(parse_request(edits=[first, first]), "a") is None
    assert compute_text_after(parse_request(edits=[first, {"old_string": 1}]), "a") is None
    assert compute_text_after(parse_request(edits="no list"), "a") is None


def test_an_edit_of_empty_text_creates_a_file_and_changes_none() -> None:
    assert apply_edit(None, "", "new") == "new"
    assert apply_edit("", "", "new") == "new"
    assert apply_edit("full", "", "new") is None
    assert apply_edit(None, "a", "new") is None


def test_a_lone_surrogate_is_read_as_a_replacement_character() -> None:
    (request,) = parse_write_requests(
        b'{"hook_event_name":"PreToolUse","tool_input":{"file_path":"/f","content":"a\\ud800b"}}'
    )
    assert request.content == "a\ufffdb"


@pytest.mark.parametrize(
    "event",
    [
        b"", b"{", b"[]", b"null", b"\xff\xfe", b"7", b'"x"', b"[" * 100_000, b'{"a":' * 100_000,
        b'{"hook_event_name":"Stop","tool_input":{"file_path":"/f"}}',
        b'{"hook_event_name":"PreToolUse"}',
        b'{"hook_event_name":"PreToolUse","tool_input":[]}',
        b'{"hook_event_name":"PreToolUse","tool_input":{"file_path":7}}',
    ],
)  # fmt: skip
def test_an_event_that_writes_no_file_gives_no_request(event: bytes) -> None:
    assert parse_write_requests(event) == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["file_path", "filePath", "content", "edits", "old_string", "newString", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.sampled_from([BEFORE, AFTER]), JSON, JSON, st.none() | st.text())
def test_any_event_can_be_parsed(hook_event: str, said: Any, cwd: Any, before: str | None) -> None:
    event = {"hook_event_name": hook_event, "tool_input": said, "cwd": cwd}
    opencode = {"hook_event_name": "tool.execute.before", "tool": "edit", "args": said}
    for each in (event, opencode | {"directory": cwd}):
        for request in parse_write_requests(json.dumps(each).encode()):
            after = compute_text_after(request, before)
            assert after is None or after.encode() is not None


@given(st.binary())
def test_random_bytes_give_no_request(event: bytes) -> None:
    assert parse_write_requests(event) == ()


def test_events_of_gemini_are_parsed() -> None:
    write = {"file_path": "/f", "content": "x"}
    event = {"hook_event_name": "BeforeTool", "tool_name": "write_file", "tool_input": write}
    (request,) = parse_write_requests(json.dumps(event).encode())
    assert (request.is_before, request.content) == (True, "x")
    replace = {"file_path": "/f", "old_string": "a", "new_string": "b"}
    event = {"hook_event_name": "AfterTool", "tool_name": "replace", "tool_input": replace}
    (request,) = parse_write_requests(json.dumps(event).encode())
    assert (request.is_before, request.edits) == (False, (TextReplacement("a", "b"),))


PATCH = """apply_patch <<'EOF'
*** Begin Patch
*** Add File: notes/new.md
+# New
+
+text
*** Update File: /abs/old.md
@@ heading
 same
-before
+after
@@
-x
+y
*** Delete File: gone.md
*** End Patch
EOF
"""


def test_a_codex_patch_is_parsed_file_by_file() -> None:
    event = {"hook_event_name": BEFORE, "cwd": "/c", "tool_input": {"command": PATCH}}
    assert parse_write_requests(json.dumps(event).encode()) == (
        WriteRequest(BEFORE, "notes/new.md", "/c", "# New\n\ntext\n", ()),
        WriteRequest(
            BEFORE,
            "/abs/old.md",
            "/c",
            None,
            (TextReplacement("same\nbefore", "same\nafter"), TextReplacement("x", "y")),
        ),
    )
    for command in ("ls", "echo '*** Begin Patch'", "*** Begin Patch\n+x\n*** Move File:"):
        event = {"hook_event_name": BEFORE, "tool_input": {"command": command}}
        assert parse_write_requests(json.dumps(event).encode()) == ()


def parse_paths(event: dict[str, Any]) -> list[tuple[str, str]]:
    requests = parse_write_requests(json.dumps(event).encode())
    return [(request.path, request.cwd) for request in requests]


@pytest.mark.parametrize(
    ("command", "cwd"),
    [
        ("apply_patch <<'EOF'\n{}", "/c"),
        ("cd sub && apply_patch <<'EOF'\n{}", "/c/sub"),
        ("cd '/a b' && apply_patch <<'EOF'\n{}", "/a b"),
        (' cd "x y"&&applypatch <<EOF\n{}', "/c/x y"),
        ("cd ~/t && apply_patch <<'EOF'\n{}", "~/t"),
        ("cd sub; apply_patch <<'EOF'\n{}", "/c"),
        ("cd $SUB && apply_patch <<'EOF'\n{}", "/c"),
    ],
)
def test_a_patch_applies_in_the_folder_that_its_command_enters(command: str, cwd: str) -> None:
    patch = "*** Begin Patch\n*** Add File: a.md\n+x\n*** End Patch\n"
    event = {
        "hook_event_name": BEFORE,
        "cwd": "/c",
        "tool_name": "Bash",
        "tool_input": {"command": command.format(patch)},
    }
    assert parse_paths(event) == [("a.md", cwd)]
    assert parse_paths(event | {"hook_event_name": AFTER}) == [("a.md", cwd)]


def test_a_patch_that_moves_a_file_writes_both() -> None:
    patch = "*** Begin Patch\n*** Update File: a.md\n*** Move to: ~/b.md\n@@\n-x\n+y\n*** End Patch"
    event = {"hook_event_name": BEFORE, "cwd": "/c", "tool_input": {"command": patch}}
    edits = (TextReplacement("x", "y"),)
    assert parse_write_requests(json.dumps(event).encode()) == (
        WriteRequest(BEFORE, "a.md", "/c", None, edits),
        WriteRequest(BEFORE, "./~/b.md", "/c", None, edits),
    )


def test_gemini_replaces_one_occurrence_or_all() -> None:
    asked: dict[str, Any] = {"file_path": "~/f", "old_string": "a", "new_string": "b"}
    for several, after in ((False, None), (True, "b b")):
        event = {
            "hook_event_name": "BeforeTool",
            "tool_name": "replace",
            "tool_input": asked | {"allow_multiple": several},
        }
        (request,) = parse_write_requests(json.dumps(event).encode())
        assert request.path == "./~/f", "the name of a folder"
        assert compute_text_after(request, "a a") == after


def opencode_event(tool: str, when: str = "before", **args: Any) -> dict[str, Any]:
    return {
        "client": "opencode",
        "hook_event_name": f"tool.execute.{when}",
        "tool": tool,
        "directory": "/c",
        "args": args,
    }


def test_events_of_opencode_are_parsed() -> None:
    write = opencode_event("write", filePath="/f", content="x\ud800")
    (request,) = parse_write_requests(json.dumps(write).encode())
    assert request == WriteRequest("tool.execute.before", "/f", "/c", "x\ufffd", ())
    assert request.is_before
    edit = {"oldString": "a", "newString": "b", "replaceAll": True}
    for args in (edit, {"edits": [edit]}):
        event = opencode_event("edit", "after", filePath="~/f", **args)
        (request,) = parse_write_requests(json.dumps(event).encode())
        assert (request.is_before, request.path) == (False, "./~/f")
        assert request.edits == (TextReplacement("a", "b", replace_all=True),)
    patch = "*** Begin Patch\n*** Add File: a.md\n+x\n*** End Patch"
    assert parse_paths(opencode_event("apply_patch", patchText=patch)) == [("a.md", "/c")]


def test_other_tools_of_opencode_write_nothing() -> None:
    assert parse_paths(opencode_event("read", filePath="/f")) == []
    assert parse_paths(opencode_event("bash", command="cat > /f")) == []
    assert parse_paths(opencode_event("write", filePath=["/f"], content="x")) == []
    assert parse_paths(opencode_event("edit", filePath="/f", edits=[7])) == [("/f", "/c")]


@given(st.text("+-@* \nx"))
def test_any_patch_can_be_parsed(text: str) -> None:
    command = f"*** Begin Patch\n*** Update File: f\n{text}"
    event = {"hook_event_name": BEFORE, "tool_input": {"command": command}}
    for request in parse_write_requests(json.dumps(event).encode()):
        compute_text_after(request, "x\nx")
