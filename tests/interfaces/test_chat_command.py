"""`cortexfs chat`: one message, a dialogue on a terminal, threads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from terminal import DONE, talk, talk_until

from cortexfs.core.chat.chat_event import Done, Failed, Thinking, ToolCompleted, ToolStarted
from cortexfs.core.chat.chat_message import ChatMessage, PendingChange, Role, ToolCall
from cortexfs.interfaces.json.chat import to_event_json

if TYPE_CHECKING:
    from place import Place

SAVE = "save this: the wheel is round"


def ask(place: Place, *words: str) -> Any:
    return json.loads(place.ok("chat", *words, "--json"))


def test_one_message_has_an_answer_and_leaves_a_thread(tree: Place) -> None:
    assert tree.ok("chat", "open", "tasks") == "no open tasks\n"
    (thread,) = ask(tree, "--list")["threads"]
    assert (thread["preview"], thread["message_count"]) == ("open tasks", 2)
    shown = tree.ok("chat", "--show", "--thread", thread["thread_id"])
    assert shown.splitlines()[1:4] == ["open tasks", "", shown.splitlines()[3]]
    assert shown.splitlines()[4] == "no open tasks"
    tree.ok("chat", "--delete", "--thread", thread["thread_id"])
    assert tree.run("chat", "--list").code == 1
    assert tree.run("chat", "--show", "--thread", thread["thread_id"]).code == 3


def test_a_change_is_confirmed_by_the_command_that_is_shown(tree: Place) -> None:
    ran = tree.run("chat", SAVE)
    assert ran.out.startswith("plan: save flywheel/OBS-001: the wheel is round\n")
    *_, hint = ran.err.splitlines()
    assert hint.startswith("to confirm: cortexfs chat --thread ")
    assert tree.ok(*hint.split()[3:]) == "saved as flywheel/OBS-001\n"
    assert "flywheel/OBS-001: the wheel is round" in tree.ok("chat", "memories about wheels")


def test_json_has_the_keys_of_the_original(tree: Place) -> None:
    asked = ask(tree, SAVE, "--thread", "t")["message"]
    (call,) = asked["tool_calls"]
    summary = "save flywheel/OBS-001: the wheel is round"
    assert asked["pending"] == {"tool": "memory_save", "args": call["args"], "summary": summary}
    done = ask(tree, "yes", "--thread", "t")["message"]
    assert "pending" not in done
    assert done["tool_calls"][0]["commit"] == tree.git("rev-parse", "HEAD").strip()
    messages = ask(tree, "--show", "--thread", "t", "-n", "3")["messages"]
    assert [each["role"] for each in messages] == ["assistant", "user", "assistant"]
    assert messages[-1] == done
    assert set(done) == {"id", "thread_id", "role", "content", "created_at", "tool_calls"}


def test_events_have_the_keys_of_the_original() -> None:
    call = ToolCall("show", "c", {"ref": "EXP-001"}, "text", "text")
    message = ChatMessage("m", "t", Role.ASSISTANT, "text", "now", "s", (call,))
    events = [Thinking("t"), ToolStarted(call), ToolCompleted(call), Done(message),
              Failed("t", "no")]  # fmt: skip
    done = to_event_json(events[3])
    assert [to_event_json(each)["type"] for each in events] == [
        "thinking", "tool_started", "tool_completed", "done", "error"]  # fmt: skip
    about = {"tool": "show", "call_id": "c", "args": {"ref": "EXP-001"}}
    assert to_event_json(events[1]) == {"type": "tool_started", **about}
    assert {"full_text", "tool_calls", "message"} <= set(done)
    error = {"type": "error", "thread_id": "t", "message": "no", "hint": "wait"}
    assert to_event_json(Failed("t", "no", "wait")) == error
    assert to_event_json(Done(message._replace(pending=PendingChange("a", {}, "d", "s"))))


def test_wrong_usage_is_refused(tree: Place) -> None:
    for words, code in (
        (("--list", "hi"), 2), (("--list", "--show"), 2), (("--show",), 2), ((), 3),
        (("--list", "-n", "0"), 2), (("--thread", "../up", "stats"), 2), (("--json",), 3),
        (("-p", "nowhere", "stats"), 3),
    ):  # fmt: skip
        assert tree.run("chat", *words).code == code, words


def test_a_person_talks_on_a_terminal(tree: Place) -> None:
    keys = f"what is stuck?\n\n{SAVE}\nyes\nquit\n"
    spoken = talk(tree, "chat", "--thread", "t", answers=keys)
    assert spoken.code == 0
    parts = ("nothing is stuck", "plan: save flywheel/OBS-001", "· memory_save content=",
             "saved as flywheel/OBS-001", "to go on: cortexfs chat --thread t")  # fmt: skip
    assert [part for part in parts if part not in spoken.output] == []
    assert talk_until(tree, "> ", DONE, "chat").code == 0


def test_a_refusal_does_not_end_the_dialogue(tree: Place) -> None:
    spoken = talk(tree, "chat", answers=f"{'x' * 2000}\nstats\nquit\n")
    assert "I do not understand that" in spoken.output
    assert "atoms: 0" in spoken.output
    assert talk(tree, "chat", "--thread", "a.b", answers="quit\n").code == 2


def test_no_escape_of_the_tree_reaches_the_terminal(tree: Place) -> None:
    tree.ok("new", "idea", "-s", "An idea", "-t", "x")
    path = next((tree.root / "ideas").glob("IDEA-*.md"))
    path.write_text(path.read_text() + "\x1b]0;owned\x07 \x9b31m red \u202e[bold]x[/bold]")
    keys = "show IDEA-001\nfind owned\nnewest ideas\nbrief me\nquit\n"
    for output in (talk(tree, "chat", answers=keys).output, tree.ok("chat", "show IDEA-001")):
        assert "owned" in output
        assert "\x1b]0" not in output
        assert not {"\x07", "\x9b", "\u202e"} & set(output)
