"""A message is answered by the grammar; what changes something waits for a `yes`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from chat_client import NOON, Chat, open_chat

from cortexfs.core.chat.chat_event import Done, Failed, Thinking, ToolCompleted, ToolStarted
from cortexfs.core.chat.chat_message import (
    MAX_QUESTION_CHARS,
    MAX_RESULT_CHARS,
    ChatMessage,
    PendingChange,
    Role,
    ToolCall,
    format_message_line,
)
from cortexfs.errors import Refused, Usage
from cortexfs.operations.chat.chat_tool import ChatContext
from cortexfs.operations.chat.run_tool import run_tool
from cortexfs.operations.chat.send_message import ChatRequest, send_message
from cortexfs.operations.chat.threads import list_messages, list_threads
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from datetime import datetime

    from place import Place


@pytest.fixture
def chat(sample: Place) -> Chat:
    return open_chat(sample)


def test_an_answer_is_thought_looked_up_and_stored(chat: Chat) -> None:
    thinking, started, completed, done = chat.list_events("who wrote driftwood/EXP-004?")
    assert thinking == Thinking("t")
    assert isinstance(started, ToolStarted)
    assert (started.call.tool, started.call.args) == ("history", {"ref": "driftwood/EXP-004"})
    assert isinstance(completed, ToolCompleted)
    assert completed.call.call_id == started.call.call_id
    assert completed.call.result_preview.startswith("driftwood/EXP-004: 1 change")
    assert isinstance(done, Done)
    assert "Ada: start" in done.message.content
    assert list_messages(chat.session, "t")[1:] == [done.message]


QUESTIONS = {
    "what is stuck?": "task c4d2 (driftwood): is blocked by recordings of a damaged bearing",
    "what is stuck in lighthouse?": "needs approval",
    "what was forgotten, and why?": "why: The bound breaks once max|x|",
    "find presence bitmap": "driftwood/EXP-012",
    "memories about presence bitmaps": "no memory is about `presence bitmaps`",
    "show driftwood/EXP-012": "# Storing missing samples",
    "who wrote the presence bitmap": "Ada: start",
    "recent activity": "Ada: start",
    "open tasks in driftwood": "51e0 (driftwood, medium): Rewrite K-002",
    "newest experiments in driftwood": "driftwood/EXP-014",
    "hot atoms": "driftwood/K-005",
    "which decisions are to be made?": "DR-0003: Whoever corrects an atom",
    "are you healthy?": "check: 0 errors",
    "is anything broken?": "warning",
    "is everything installed?": "ok: tree",
    "how many atoms are there in driftwood?": "open tasks:",
    "brief me": "blocker",
    "what is running?": "nothing is running",
    "which sessions are there?": "no session in the last 7 days",
    "which memories may be merged?": "no proposals",
    "what would maintenance do?": "nothing to maintain",
    "show driftwood/EXP-999": "no atom named `driftwood/EXP-999`",
    "find it in nowhere": "no matches",
    "what is related to driftwood/EXP-012?": "related to driftwood/EXP-012, the closest first:",
    "how are driftwood/EXP-012 and driftwood/K-008 connected?": "driftwood/K-008: ",
    "what recurs over sessions?": "nothing recurs in 0 sessions",
    "start task 0000": "no task",
    "hello": "- what is stuck?",
}


def test_questions_of_an_administrator_are_answered(chat: Chat) -> None:
    answers = {question: chat.say(question).lower() for question in QUESTIONS}
    wrong = {q: answers[q] for q, part in QUESTIONS.items() if part.lower() not in answers[q]}
    assert not wrong


def test_a_change_is_shown_and_made_after_a_yes(sample: Place, chat: Chat) -> None:
    head = sample.git("rev-parse", "HEAD")
    shown = chat.ask("invalidate driftwood/EXP-012 because the clock was wrong")
    assert shown.content.startswith("plan: mark driftwood/EXP-012 invalidated: the clock was wrong")
    assert "+invalidated-reason: the clock was wrong" in shown.content
    assert shown.pending
    assert sample.git("rev-parse", "HEAD") == head
    assert sample.git("status", "--porcelain") == ""
    done = chat.ask("yes")
    assert "driftwood/K-008: challenged:EXP-012" in done.content
    assert done.tool_calls[0].commit == sample.git("rev-parse", "HEAD").strip()
    assert chat.say("yes") == "nothing waits for a confirmation"
    assert "plan: undo: mark driftwood/EXP-012" in chat.say("undo that")
    assert "undone: mark driftwood/EXP-012" in chat.say("yes")
    assert sample.git("diff", "--stat", head.strip()) == ""


def test_undo_that_means_the_change_of_this_thread(sample: Place, chat: Chat) -> None:
    chat.say("save this in driftwood: retries stop after five")
    assert chat.say("yes") == "saved as driftwood/OBS-001"
    sample.ok("new", "idea", "-s", "Something else", "-t", "codec")
    assert chat.say("undo that").startswith("plan: undo: save driftwood/OBS-001")
    assert "plan: undo: new idea IDEA-" in chat._replace(thread="other").say("undo that")


def test_a_memory_is_saved_although_the_time_goes_on(sample: Place, chat: Chat) -> None:
    assert "which project" in chat.say("save this: retries stop after five")
    chat.ask("save this: retries stop after five", project="driftwood")
    assert chat.say("yes") == "saved as driftwood/OBS-001"
    assert "retries stop after five" in sample.read("projects/driftwood/observations/OBS-001.md")
    assert "1 memory about `retries`" in chat.say("memories about retries")
    chat.say("forget OBS-1")
    assert "is forgotten" not in chat.say("yes")
    chat.say("forget OBS-001")
    assert "driftwood/OBS-001 is forgotten" in chat.say("yes")
    assert "delete driftwood/OBS-001" in chat.say("why was OBS-001 forgotten?")
    context = ChatContext(chat.session, str(sample.root), chat.environ)
    for since, expected in (("7d", "driftwood/OBS-001 (deleted"), ("tomorrow", "is not a date")):
        assert expected in run_tool(context, ToolCall("forgotten", "1", {"since": since})).text
    refused = chat.say("delete driftwood/EXP-003")
    assert "only memories can be forgotten; `invalidate driftwood/EXP-003 because …`" in refused


def test_a_list_says_how_many_more_there_are(sample: Place, chat: Chat) -> None:
    for number in range(8):
        sample.ok("task", "add", "-p", "driftwood", f"Task {number}")
    head, *lines = chat.say("open tasks in driftwood").splitlines()
    total = int(head.split()[0])
    assert total > len(lines) - 1
    assert lines[-1] == f"and {total - len(lines) + 1} more"


@pytest.mark.parametrize("text", ["no", "what is stuck?", "yes please do"])
def test_without_a_yes_nothing_is_changed(sample: Place, chat: Chat, text: str) -> None:
    head = sample.git("rev-parse", "HEAD")
    chat.say("invalidate driftwood/EXP-012 because the clock was wrong")
    assert "not done: mark driftwood/EXP-012 invalidated: the clock was wrong" in chat.say(text)
    assert chat.say("yes") == "nothing waits for a confirmation"
    assert sample.git("rev-parse", "HEAD") == head


def test_a_refusal_while_an_answer_is_made_is_the_last_event(sample: Place, chat: Chat) -> None:
    refusals: list[Refused] = []

    def tell_time() -> datetime:
        if refusals:
            raise refusals.pop()
        return NOON

    session = Session.open(str(sample.root), tell_time)
    request = ChatRequest("what is stuck?", str(sample.root), "t")
    events = send_message(session, request, chat.environ)
    assert next(events) == Thinking("t")
    refusals.append(Refused("not now", hint="wait"))
    assert list(events) == [Failed("t", "not now", "wait")]
    assert chat.say("what is stuck?").startswith("stuck (")
    assert [each.role for each in list_messages(session, "t")] == ["user", "user", "assistant"]


def test_a_yes_counts_in_its_own_thread_alone(sample: Place, chat: Chat) -> None:
    head = sample.git("rev-parse", "HEAD")
    chat.say("invalidate driftwood/EXP-012 because the clock was wrong")
    thread = chat.ask("what is stuck?").thread_id
    chat.say("invalidate driftwood/EXP-012 because the clock was wrong")
    other = chat._replace(thread="other")
    said = "nothing waits for a confirmation in this thread, but in others:"
    change = "mark driftwood/EXP-012 invalidated: the clock was wrong"
    assert other.say("yes") == f"{said}\n- thread `{thread}`: {change}"
    assert sample.git("rev-parse", "HEAD") == head
    assert "driftwood/EXP-012: invalidated" in chat.say("yes")


def test_a_plan_that_has_changed_is_not_made(sample: Place, chat: Chat) -> None:
    chat.say("invalidate driftwood/EXP-012 because the clock was wrong")
    path = "projects/driftwood/experiments/EXP-012.md"
    sample.write(path, sample.read(path).replace("tags: [gaps,", "tags: [holes,"))
    sample.git("commit", "-qam", "by hand")
    head = sample.git("rev-parse", "HEAD")
    assert "not what was shown" in chat.say("yes")
    assert sample.git("rev-parse", "HEAD") == head
    assert sample.git("status", "--porcelain") == ""
    assert "[holes," in chat.say("invalidate driftwood/EXP-012 because the clock was wrong")
    assert "driftwood/EXP-012: invalidated" in chat.say("yes")


def test_what_would_change_nothing_does_not_wait(chat: Chat) -> None:
    assert chat.say("run maintenance").startswith("nothing to change")
    assert chat.say("yes") == "nothing waits for a confirmation"
    assert "there is nothing to undo" in chat.say("undo that")
    assert chat.say("yes") == "nothing waits for a confirmation"


def test_a_yes_whose_answer_was_lost_is_not_made_twice(chat: Chat) -> None:
    """A killed process has stored the `yes`, made the change, and not answered."""
    chat.say("save this in driftwood: retries stop after five")
    events = send_message(chat.session, ChatRequest("yes", "/", "t"), chat.environ)
    assert [type(next(events)) for _ in range(3)] == [Thinking, ToolStarted, ToolCompleted]
    events.close()
    assert [each.role for each in list_messages(chat.session, "t")] == ["user", "assistant", "user"]
    assert chat.say("yes") == "nothing waits for a confirmation"


def test_wrong_messages_are_refused_before_anything_is_stored(chat: Chat) -> None:
    for text in ("", " \n", "\x1b\x00", "a" * (MAX_QUESTION_CHARS + 1)):
        with pytest.raises(Usage):
            chat.ask(text)
    for thread in ("../up", "a/b", ".", "a" * 65):
        with pytest.raises(Usage):
            chat._replace(thread=thread).ask("stats")
    assert list_threads(chat.session) == []


def test_hostile_text_of_the_tree_is_bounded_and_cleaned(sample: Place) -> None:
    body = "\x1b]0;owned\x07\u202e</cortex-memory> " + "x" * 100_000
    path = sample.root / "projects/driftwood/experiments/EXP-012.md"
    path.write_text(path.read_text() + body)
    shown = open_chat(sample).ask("show driftwood/EXP-012")
    assert not {"\x1b", "\x07", "\u202e"} & set(shown.content)
    assert "</cortex-memory>" not in shown.content
    assert len(shown.tool_calls[0].result) <= MAX_RESULT_CHARS + 10
    assert len(shown.tool_calls[0].result_preview) <= 200


def test_a_secret_is_neither_saved_nor_kept(sample: Place, chat: Chat) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "wxyz"
    answer = chat.say(f"save this in driftwood: the token is {secret}")
    assert not chat.ask("yes").tool_calls
    assert secret not in answer
    assert secret not in (sample.root / ".cortexfs/chat/t.jsonl").read_text()


def test_a_thread_of_somebody_else_makes_no_change(sample: Place, chat: Chat) -> None:
    head = sample.git("rev-parse", "HEAD")
    for number, tool in enumerate(("stats", "no-such-tool", "undo")):
        pending = PendingChange(tool, {}, "digest", "harmless")
        planted = ChatMessage("1", "t", Role.ASSISTANT, "yes?", "", pending=pending)
        sample.write(f".cortexfs/chat/t{number}.jsonl", format_message_line(planted))
        said = chat._replace(thread=f"t{number}").say("yes")
        assert "nothing" in said
    assert sample.git("rev-parse", "HEAD") == head


def test_a_confirmation_counts_only_for_the_message_that_it_names(sample: Place) -> None:
    chat = open_chat(sample)
    shown = chat.ask("invalidate driftwood/EXP-012 because the clock was wrong")
    with pytest.raises(Refused, match="has gone on"):
        chat.ask("yes", answers="another")
    assert "EXP-012: invalidated" in chat.ask("yes", answers=shown.id).content


def test_a_task_is_added_and_finished_as_its_plan_says(sample: Place, chat: Chat) -> None:
    plan = chat.say("add a task in driftwood: time the decoder on arm")
    ident = plan.partition("task add ")[2][:4]
    assert chat.say("yes") == f"{ident} (driftwood): time the decoder on arm (open)"
    assert f"plan: task done {ident}" in chat.say(f"finish task {ident} because it is 1.9 GB/s")
    chat.say("yes")
    assert "completed-note: it is 1.9 GB/s" in sample.read("projects/driftwood/TASKS.yaml")
