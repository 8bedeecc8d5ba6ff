"""What the grammar makes of a question."""

from __future__ import annotations

from datetime import date

import pytest
from cost import cost_of
from soak_cases import leave_to_soak

from cortexfs.core.chat.grammar_rules import RULES, Need
from cortexfs.core.chat.parse_question import (
    ToolRequest,
    Vocabulary,
    list_examples,
    parse_confirmation,
    parse_question,
)
from cortexfs.operations.chat.tool_table import CHANGE_TOOLS, TOOLS

TODAY = date(2026, 5, 6)  # a Wednesday
NAMES = Vocabulary({"driftwood", "engine-2"}, {"experiment", "knowledge", "session", "decision"})

QUESTIONS = {
    "what is stuck?": ("stuck", {}),
    "blocked tasks": ("stuck", {}),
    "what was forgotten this week, and why?": ("forgotten", {"since": "2026-05-04"}),
    "what was deleted in the last 3 days": ("forgotten", {"since": "2026-05-03"}),
    "why was EXP-012 invalidated?": ("forgotten", {"ref": "EXP-012"}),
    "memories about retries": ("memory_recall", {"query": "retries"}),
    "What do you know about the Retry limit?": ("memory_recall", {"query": "Retry limit"}),
    "what do you remember about tea?": ("memory_recall", {"query": "tea"}),
    "about the retry limit, any memories?": ("memory_recall", {"query": "retry limit"}),
    "memories about deleted tenants": ("memory_recall", {"query": "deleted tenants"}),
    "what do you know about stuck builds in driftwood": (
        "memory_recall", {"query": "stuck builds", "project": "driftwood"}),
    "find checksum gaps": ("find", {"query": "checksum gaps"}),
    "search for the presence bitmap": ("find", {"query": "presence bitmap"}),
    "anything about checksums?": ("find", {"query": "checksums"}),
    "recent activity": ("recent", {}),
    "what happened today?": ("recent", {"since": "2026-05-06"}),
    "what changed since Monday?": ("recent", {"since": "2026-05-04"}),
    "since 2026-03-09, what changed in engine-2?": (
        "recent", {"since": "2026-03-09", "project": "engine-2"}),
    "who wrote EXP-004?": ("history", {"ref": "EXP-004"}),
    "who wrote the retry note": ("history", {"ref": "retry note"}),
    "history of EXP-004": ("history", {"ref": "EXP-004"}),
    "show exp-012": ("show", {"ref": "EXP-012"}),
    "show EXP-012 of driftwood": (
        "show", {"ref": "driftwood/EXP-012", "project": "driftwood"}),
    "Driftwood/exp-004": ("show", {"ref": "Driftwood/EXP-004"}),
    "#117": ("show", {"ref": "#117"}),
    "open tasks": ("tasks", {}),
    "which decisions are to be made in driftwood?": ("decisions", {"project": "driftwood"}),
    "are you healthy": ("system_inspect", {}),
    "status": ("system_inspect", {}),
    "status of driftwood": ("brief", {"project": "driftwood"}),
    "is everything installed?": ("doctor", {}),
    "is anything broken?": ("check", {}),
    "how many atoms are there": ("stats", {}),
    "newest experiments": ("list", {"kind": "experiment", "which": "newest"}),
    "hot atoms": ("list", {"which": "hot"}),
    "what is running?": ("worker_inspect", {}),
    "which sessions are there?": ("channel_list", {}),
    "which memories may be merged?": ("proposals", {}),
    "what would maintenance do?": ("maintenance", {}),
    "save this: Retries stop after 5.": ("memory_save", {"content": "Retries stop after 5."}),
    "remember that I like tea": ("memory_save", {"content": "I like tea"}),
    "save this in driftwood:\nTwo\nlines": (
        "memory_save", {"content": "Two\nlines", "project": "driftwood"}),
    "undo that": ("undo", {}),
    "please undo 3fa91c02": ("undo", {"id": "3fa91c02"}),
    "forget OBS-117": ("memory_delete", {"ref": "OBS-117"}),
    "restore OBS-117": ("restore", {"ref": "OBS-117"}),
    "accept DR-0003": ("decide", {"ref": "DR-0003", "verdict": "accepted"}),
    "reject DR-0003 because it is slow": (
        "decide", {"ref": "DR-0003", "verdict": "rejected", "reason": "it is slow"}),
    "accept 3fa91c02": ("decide_proposal", {"id": "3fa91c02", "decision": "accept"}),
    "supersede EXP-012 by EXP-014": (
        "mark", {"ref": "EXP-012", "by": "EXP-014", "status": "superseded"}),
    "run maintenance": ("run_maintenance", {}),
    "add a task in driftwood: Time the decoder": (
        "task_add", {"text": "Time the decoder", "project": "driftwood"}),
    "please add task time the decoder": ("task_add", {"text": "time the decoder"}),
    "start task beef": ("task_change", {"task": "beef", "do": "claim"}),
    "finish 51e0 because the bench shows it": (
        "task_change", {"task": "51e0", "do": "done", "reason": "the bench shows it"}),
    "mark driftwood/51e0 done": ("task_change", {"task": "driftwood/51e0", "do": "done"}),
    "block 51e0 because the board is missing": (
        "task_change", {"task": "51e0", "do": "block", "reason": "the board is missing"}),
    "find budget 2026": ("find", {"query": "budget 2026"}),
    "what is related to EXP-012?": ("related", {"ref": "EXP-012"}),
    "what links to EXP-012": ("related", {"ref": "EXP-012"}),
    "how are EXP-012 and K-008 connected?": ("path", {"ref": "EXP-012", "by": "K-008"}),
    "what recurs over sessions?": ("patterns", {}),
    "fix what is safe": ("fix", {}),
    "what's going on?": ("recent", {}),
    "what did we do yesterday": ("recent", {"since": "2026-05-05"}),
    "how's driftwood doing?": ("brief", {"project": "driftwood"}),
    "experiments about knowledge gaps": (
        "find", {"query": "knowledge gaps", "kind": "experiment"}),
    "decisions about gaps": ("find", {"query": "gaps", "kind": "decision"}),
    "tell me about gaps": ("find", {"query": "gaps"}),
    "find memories about tea": ("memory_recall", {"query": "tea"}),
    "newest memories": ("list", {"kind": "observation", "which": "newest"}),
    "why did you forget EXP-005": ("forgotten", {"ref": "EXP-005"}),
    "bring back EXP-005": ("restore", {"ref": "EXP-005"}),
    "mark EXP-012 as stale": ("mark", {"ref": "EXP-012", "status": "stale"}),
    # errors of typing
    "waht is stcuk": ("stuck", {}),
    "memoires about retries": ("memory_recall", {"query": "retries"}),
    "recnet actvity": ("recent", {}),
    "what was delleted this week?": ("forgotten", {"since": "2026-05-04"}),
}  # fmt: skip


@pytest.mark.parametrize("question", leave_to_soak(QUESTIONS, every=2))
def test_a_question_leads_to_its_tool(question: str) -> None:
    tool, args = QUESTIONS[question]
    assert parse_question(question, NAMES, TODAY) == ToolRequest(tool, args)


@pytest.mark.parametrize(
    "text",
    ["tell me a joke", "the weather in Paris", "help", "remember?", "save", "save in nowhere: a b",
     "", "?!", "retry limit", "stuck " * 61],
)  # fmt: skip
def test_what_fits_no_rule_is_not_guessed(text: str) -> None:
    assert parse_question(text, NAMES, TODAY) is None


CHANGES = {tool.name for tool in CHANGE_TOOLS}


@pytest.mark.parametrize(
    "question",
    ["what was undone?", "was anything forgotten?", "did somebody delete OBS-117?",
     "who accepted DR-0003?", "why would we restore EXP-012?", "should I save this?",
     "is EXP-012 invalidated?", "did maintenance run today?"],
)  # fmt: skip
def test_a_question_about_a_change_is_no_request_for_one(question: str) -> None:
    found = parse_question(question, NAMES, TODAY)
    assert found is None or found.tool not in CHANGES


@pytest.mark.parametrize("of_changes", [False, True])
def test_each_example_is_understood(of_changes: bool) -> None:
    for example in list_examples(of_changes=of_changes):
        found = parse_question(example.replace("PROJECT", "driftwood"), NAMES, TODAY)
        assert found, example
        assert (found.tool in CHANGES) == of_changes


def test_each_rule_names_a_tool_and_its_arguments() -> None:
    for rule in RULES:
        assert (Need.VERB in rule.needs) == (rule.tool in CHANGES), rule
        declared = {each.name for each in TOOLS[rule.tool].parameters}
        assert {rule.rest, *dict(rule.fixed)} - {""} <= declared, rule


def test_only_a_word_that_stands_alone_confirms() -> None:
    said = {text: parse_confirmation(text) for text in (" Yes. ", "y", "NO!", "n", "yes, but", "")}
    assert said == {" Yes. ": True, "y": True, "NO!": False, "n": False, "yes, but": None, "": None}


@pytest.mark.parametrize(
    "start",
    leave_to_soak(["save a", "add a task a", "please save", "save in a", "add task"], every=5),
)
def test_a_megabyte_of_blanks_is_read_in_linear_time(start: str) -> None:
    text = f"{start}{' ' * 1_000_000}b"
    assert cost_of(lambda: parse_question(text, NAMES, TODAY)).is_allowed


def test_hostile_questions_take_no_long_time() -> None:
    for text in (
        "save " * 4000,
        "since " * 4000,
        "a-" * 9000,
        "last " * 3000 + "1 of",
        "(" * 16_000,
    ):
        parse_question(text, NAMES, TODAY)
