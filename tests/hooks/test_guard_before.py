"""Which writes are denied, which get a message, and which are let through."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from guarding import BEFORE

from cortexfs.interfaces.hooks.guard import answer_event

if TYPE_CHECKING:
    from pathlib import Path

    from guarding import Guard
    from place import Place

STATUS = "projects/driftwood/STATUS.md"
TASKS = "projects/driftwood/TASKS.yaml"
EXPIRED = "lock:\n  owner: ada\n  expires_at: 2020-01-01T00:00:00Z\n"


def repeat_line(count: int) -> str:
    return "- a line\n" * count


@pytest.mark.parametrize(
    ("path", "content", "says"),
    [
        (STATUS, repeat_line(121), "121 lines"),
        (STATUS, repeat_line(121).rstrip(), "120 lines"),
        ("projects/driftwood/ISSUES.md", repeat_line(81), "its cap is 80 lines"),
        ("projects/driftwood/mission.md", repeat_line(101), "its cap is 100 lines"),
        ("projects/driftwood/roadmap.md", repeat_line(251), "its cap is 250 lines"),
        ("OVERVIEW.md", repeat_line(61), "its cap is 60 lines"),
        ("user/USER.md", "x" * 3073, "its cap is 3072 bytes"),
        ("CORTEX.md", repeat_line(140), "its cap is 120 lines and 8192 bytes"),
        ("projects/driftwood/CORTEX.md", "é" * 4097, "8194 bytes"),
        ("decisions/CORTEX.md", "x" * 9000, "9000 bytes"),
    ],
)
def test_a_write_over_a_cap_is_denied_with_a_reason(
    guard: Guard, path: str, content: str, says: str
) -> None:
    reason = guard.read_denial(path, content=content)
    assert reason.startswith(f"{path} would have ")
    assert says in reason


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (STATUS, repeat_line(20)),
        (STATUS, repeat_line(89)),
        (STATUS, ""),
        ("CORTEX.md", repeat_line(89)),
        ("projects/driftwood/notes.md", repeat_line(999)),
        ("projects/driftwood/experiments/EXP-001.md", repeat_line(999)),
        ("/elsewhere/projects/driftwood/STATUS.md", repeat_line(999)),
        ("projects/driftwood/TASKS.yml", repeat_line(999)),
    ],
)
def test_a_write_without_a_cap_is_let_through_silently(
    guard: Guard, path: str, content: str
) -> None:
    assert guard.answer(BEFORE, path, content=content) == {}


@pytest.mark.parametrize("count", [90, 119, 120])
def test_from_three_quarters_of_the_cap_the_user_is_told(guard: Guard, count: int) -> None:
    message = guard.read_user_message(STATUS, content=repeat_line(count))
    assert f"is nearly full: {count} lines" in message


def test_a_file_that_is_over_its_cap_may_shrink_and_not_grow(sample: Place, guard: Guard) -> None:
    sample.write(STATUS, repeat_line(300))
    message = guard.read_user_message(STATUS, content=repeat_line(150))
    assert "still over its cap: 150 lines" in message
    assert guard.read_denial(STATUS, content=repeat_line(300) + "x")
    edit = {"old_string": repeat_line(300), "new_string": repeat_line(299)}
    assert "299 lines" in guard.read_user_message(STATUS, **edit)
    sample.write("CORTEX.md", "x" * 30000)
    assert "12000 bytes" in guard.read_user_message("CORTEX.md", content="x" * 12000)


def test_an_edit_is_judged_by_the_resulting_file(sample: Place, guard: Guard) -> None:
    sample.write(STATUS, "# S\n" + "a\n" * 60)
    grow = {"old_string": "# S\n", "new_string": "# S\n" + "b\n" * 60}
    assert "121 lines" in guard.read_denial(STATUS, **grow)
    double = {"old_string": "a\n", "new_string": "a\na\n"}
    assert guard.answer(BEFORE, STATUS, **double) == {}  # the client asks for more words itself
    assert "121 lines" in guard.read_denial(STATUS, **double, replace_all=True)
    assert "121 lines" in guard.read_denial(STATUS, edits=[double | {"replace_all": True}])
    assert guard.answer(BEFORE, STATUS, old_string="absent", new_string=repeat_line(999)) == {}


def test_the_tree_may_set_other_caps(sample: Place, guard: Guard) -> None:
    sample.write("cortexfs.yaml", "caps:\n  STATUS.md:\n    lines: 4\n    bytes: 0\n")
    assert "its cap is 4 lines" in guard.read_denial(STATUS, content=repeat_line(99))
    sample.write("cortexfs.yaml", "caps:\n  STATUS.md:\n    lines: 0\n")
    assert guard.answer(BEFORE, STATUS, content=repeat_line(500)) == {}
    sample.write("cortexfs.yaml", "caps: [")
    assert "its cap is 120 lines" in guard.read_denial(STATUS, content=repeat_line(121))


def test_a_file_is_recognized_under_every_path(guard: Guard, world: Path, tmp_path: Path) -> None:
    (world / ".cortex").mkdir()
    (world / ".cortex/context").symlink_to(guard.root)
    (tmp_path / "alias").symlink_to(guard.root.parent)
    spelt: list[tuple[str, str]] = [
        (f"{guard.root}/{STATUS}", ""),
        (f"{guard.root}//projects/../projects/./driftwood/STATUS.md", ""),
        (f"~/.cortex/context/{STATUS}", ""),
        (f"{world}/.cortex/context/{STATUS}", ""),
        (f"{tmp_path}/alias/tree/{STATUS}", ""),
        ("STATUS.md", f"{guard.root}/projects/driftwood"),
        (STATUS, f"{guard.root}"),
        (STATUS.replace("/", "\\"), f"{guard.root}"),
        (f"{guard.root}/{STATUS}".replace("/", "\\"), "/"),
        ("../STATUS.md", f"{tmp_path}/alias/tree/projects/driftwood/experiments"),
    ]
    for path, cwd in spelt:
        assert guard.read_denial(path, cwd=cwd or "/nowhere", content=repeat_line(121)), (path, cwd)


@pytest.mark.parametrize("path", [f"C:\\Users\\ada\\{STATUS}", "", "~", "\0", "\ud800", "x" * 9000])
def test_a_path_that_leads_out_of_the_tree_is_ignored(guard: Guard, path: str) -> None:
    asked: dict[str, Any] = {"cwd": "/nowhere", "content": repeat_line(121)}
    assert guard.answer(BEFORE, path.encode(errors="replace").decode(), **asked) == {}


@pytest.mark.parametrize("what", ["no permission", "pipe", "folder", "not utf-8", "link"])
def test_an_unreadable_file_stops_only_a_write_that_is_too_long(guard: Guard, what: str) -> None:
    path = guard.root / STATUS
    path.unlink()
    match what:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to("/nowhere/at/all")
        case _:
            path.write_bytes(b"\xff")
            path.chmod(0 if what == "no permission" else 0o600)
    assert guard.answer(BEFORE, STATUS, old_string="a", new_string=repeat_line(999)) == {}
    assert guard.answer(BEFORE, STATUS, content=repeat_line(9)) == {}
    assert guard.read_denial(STATUS, content=repeat_line(121))


def test_only_the_owner_of_the_lock_may_edit_tasks(
    sample: Place, guard: Guard, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = {"old_string": "tasks:", "new_string": "tasks: # sorted"}
    monkeypatch.setenv("CORTEXFS_OWNER", "bench-01")
    reason = guard.read_denial(TASKS, **edit)
    assert "only by the owner of its lock" in reason
    assert "`cortexfs task lock -p driftwood`" in reason
    sample.ok("task", "lock", "-p", "driftwood")
    assert guard.answer(BEFORE, TASKS, **edit) == {}
    assert guard.read_denial("projects/lighthouse/TASKS.yaml", **edit)
    monkeypatch.setenv("CORTEXFS_OWNER", "bench-02")
    reason = guard.read_denial(TASKS, **edit)
    assert "is locked by `bench-01`. Wait until 20" in reason
    sample.ok("task", "unlock", "-p", "driftwood", "--force")
    assert "only by the owner of its lock" in guard.read_denial(TASKS, content="tasks: []\n")


def test_the_guard_and_the_lock_resolve_the_same_owner(sample: Place, guard: Guard) -> None:
    sample.ok("task", "lock", "-p", "driftwood")  # by the login's name
    assert guard.answer(BEFORE, TASKS, content="tasks: []\n") == {}


def test_an_expired_lock_does_not_count(
    sample: Place, guard: Guard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORTEXFS_OWNER", "ada")
    sample.write(TASKS, f"tasks: []\n{EXPIRED}")
    assert "only by the owner of its lock" in guard.read_denial(TASKS, content="tasks: []\n")


@pytest.mark.parametrize("text", [None, "tasks: [\n", "tasks: 7: 8\n"])
def test_tasks_that_are_missing_or_broken_may_be_written_by_hand(
    sample: Place, guard: Guard, text: str | None
) -> None:
    (sample.root / TASKS).unlink()
    if text:
        sample.write(TASKS, text)
    assert guard.answer(BEFORE, TASKS, content="tasks: []\n") == {}


SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
KEY = "-----BEGIN RSA " + "PRIVATE KEY-----\\n" + "MIIEpAIBAAKCAQEA7bqVf0Zk1"


@pytest.mark.parametrize("path", ["projects/driftwood/experiments/EXP-001.md", "notes.txt", STATUS])
def test_a_secret_is_denied_before_the_first_byte_and_never_repeated(
    guard: Guard, path: str
) -> None:
    for secret, rule in ((SECRET, "a token of GitHub"), (KEY, "a private key")):
        reason = guard.read_denial(path, content=f"# x\n\nThe token is {secret}\n")
        assert f"line 3: {rule}" in reason
        assert secret[8:] not in reason


def test_a_secret_in_an_edit_is_denied_wherever_the_edit_puts_it(
    sample: Place, guard: Guard
) -> None:
    sample.write("notes.md", "# Notes\n\none\ntwo\n")
    one = {"old_string": "two", "new_string": f"two {SECRET}"}
    assert "line 4: a token of GitHub" in guard.read_denial("notes.md", **one)
    assert "line 4: a token of GitHub" in guard.read_denial("notes.md", edits=[one])
    halves = [
        {"old_string": "one", "new_string": SECRET[:20] + "!"},
        {"old_string": "!\ntwo", "new_string": SECRET[20:]},
    ]
    assert "line 3: a token of GitHub" in guard.read_denial("notes.md", edits=halves)
    unknown = {"old_string": "what the client finds, and we do not", "new_string": SECRET}
    assert "a token of GitHub" in guard.read_denial("notes.md", **unknown)


def test_a_secret_already_in_the_file_stops_no_edit(sample: Place, guard: Guard) -> None:
    sample.write("notes.md", f"# Notes\n\n{SECRET}\ntwo\n")
    assert guard.answer(BEFORE, "notes.md", old_string="two", new_string="three") == {}
    assert guard.answer(BEFORE, "notes.md", content=f"{SECRET}\n") == {}
    other = SECRET.replace("a1B2", "z9Y8")
    assert guard.read_denial("notes.md", content=f"{SECRET}\n{other}\n").count("line ") == 1


def test_allowed_and_example_secrets_are_written(guard: Guard) -> None:
    allowed = f"{SECRET} <!-- pragma: allowlist secret -->\n"
    for content in (allowed, "ghp_" + "x" * 36, "A token begins with `ghp_`\n"):
        assert guard.answer(BEFORE, "notes.md", content=content) == {}
    assert guard.answer(BEFORE, "/elsewhere/notes.md", content=SECRET) == {}


def test_tools_of_other_clients_are_denied_in_their_format(guard: Guard) -> None:
    patch = f"*** Begin Patch\n*** Add File: {guard.root}/n.md\n+{SECRET}\n*** End Patch"
    event = {"hook_event_name": BEFORE, "cwd": "/", "tool_input": {"command": patch}}
    decided = json.loads(answer_event(str(guard.root), json.dumps(event).encode()))
    assert decided["hookSpecificOutput"]["permissionDecision"] == "deny"
    write = {"file_path": f"{guard.root}/n.md", "content": SECRET}
    event = {"hook_event_name": "BeforeTool", "cwd": "/", "tool_input": write}
    decided = json.loads(answer_event(str(guard.root), json.dumps(event).encode()))
    assert (decided["decision"], "a token of GitHub" in decided["reason"]) == ("deny", True)


def clients_events(path: str, cwd: str, content: str) -> dict[str, dict[str, Any]]:
    """Return the events of other clients before they write a file."""
    patch = "".join(f"+{line}\n" for line in content.splitlines())
    command = (
        f"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: {path}\n{patch}*** End Patch\nEOF"
    )
    return {
        "codex": {
            "cwd": cwd,
            "hook_event_name": BEFORE,
            "tool_name": "Bash",
            "tool_input": {"command": command},
        },
        "gemini": {
            "cwd": cwd,
            "hook_event_name": "BeforeTool",
            "tool_name": "write_file",
            "tool_input": {"file_path": path, "content": content},
        },
        "opencode": {
            "client": "opencode",
            "hook_event_name": "tool.execute.before",
            "tool": "write",
            "args": {"filePath": path, "content": content},
            "directory": cwd,
        },
    }


@pytest.mark.parametrize("client", ["codex", "gemini", "opencode"])
def test_a_write_of_every_client_is_judged(guard: Guard, client: str) -> None:
    event = clients_events("projects/driftwood/STATUS.md", str(guard.root), repeat_line(121))[
        client
    ]
    answer = guard.run(json.dumps(event).encode())
    decision = answer.get("hookSpecificOutput", {}).get(
        "permissionDecision", answer.get("decision")
    )
    reason = answer.get("reason") or answer["hookSpecificOutput"]["permissionDecisionReason"]
    assert decision == "deny"
    assert reason.startswith("projects/driftwood/STATUS.md would have 121 lines")


@pytest.mark.parametrize("client", ["codex", "gemini", "opencode"])
def test_a_secret_of_every_client_is_denied(guard: Guard, client: str) -> None:
    secret = "token: ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    event = clients_events("notes/a.txt", str(guard.root), secret)[client]
    assert "would contain a secret" in json.dumps(guard.run(json.dumps(event).encode()))
