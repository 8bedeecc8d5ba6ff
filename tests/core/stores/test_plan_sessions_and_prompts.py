"""A session or prompt that the tree has is not written again; a longer session is updated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.stores.known_memories import KnownMemory
from cortexfs.core.stores.plan_memories import ImportedEntry, NextNumber
from cortexfs.core.stores.plan_sessions_and_prompts import plan_prompts, plan_sessions
from cortexfs.core.stores.stored_values import StoredPrompt, StoredSession

if TYPE_CHECKING:
    from collections.abc import Sequence

SESSION_KIND, PROMPT_KIND = (Kinds().find_by_name(name) for name in ("session", "prompt"))
assert SESSION_KIND
assert PROMPT_KIND
NEW_SESSIONS = NextNumber(SESSION_KIND, 4, "2026-05-06")
NEW_PROMPTS = NextNumber(PROMPT_KIND, 12, "2026-05-06")
OPEN = StoredSession("s1", "mill", "/src/mill", "2026-01-31T09:00:00Z")
PROMPT = StoredPrompt("Fix the loom", "s1", "mill", "2026-01-31T09:01:00Z")


def to_known(entries: Sequence[ImportedEntry]) -> list[KnownMemory]:
    return [
        KnownMemory(each.ref, each.path, "mill", each.write.text) for each in entries if each.write
    ]


def results(entries: Sequence[ImportedEntry]) -> list[tuple[str, str]]:
    return [(each.ref, str(each.result)) for each in entries]


def test_a_session_is_imported_once() -> None:
    first = plan_sessions([OPEN, OPEN], (), NEW_SESSIONS)
    assert results(first) == [("mill/SES-004", "imported")]
    assert first[0].path == "projects/mill/sessions/SES-004.md"
    assert results(plan_sessions([OPEN], to_known(first), NEW_SESSIONS)) == [
        ("mill/SES-004", "unchanged")
    ]


def test_a_session_that_has_ended_since_gets_its_end_and_summary() -> None:
    known = to_known(plan_sessions([OPEN], (), NEW_SESSIONS))
    ended = OPEN._replace(ended="2026-01-31T10:00:00Z", summary="Built the loom.\n\nAll of it.")
    (entry,) = plan_sessions([ended], known, NEW_SESSIONS)
    assert (str(entry.result), entry.ref) == ("updated", "mill/SES-004")
    assert entry.write
    assert 'summary: "Built the loom."\n' in entry.write.text
    assert "status: ended\n" in entry.write.text
    assert entry.write.text.endswith("---\n\nBuilt the loom.\n\nAll of it.\n")
    assert results(plan_sessions([ended], to_known([entry]), NEW_SESSIONS)) == [
        ("mill/SES-004", "unchanged")
    ]


def test_the_summary_that_a_session_has_here_stays() -> None:
    mine = OPEN._replace(summary="Mine")
    known = to_known(plan_sessions([mine], (), NEW_SESSIONS))
    theirs = OPEN._replace(summary="Theirs", ended="2026-01-31T10:00:00Z")
    (entry,) = plan_sessions([theirs], known, NEW_SESSIONS)
    assert entry.write
    assert entry.write.text.endswith("---\n\nMine\n")
    assert "status: ended\n" in entry.write.text


def test_a_prompt_is_imported_once() -> None:
    first = plan_prompts([PROMPT, PROMPT], (), NEW_PROMPTS)
    assert results(first) == [("mill/PRM-0012", "imported")]
    later = PROMPT._replace(created="2026-02-01T09:01:00Z")
    assert results(
        plan_prompts([PROMPT, later], to_known(first), NEW_PROMPTS._replace(next_number=13))
    ) == [
        ("mill/PRM-0012", "unchanged"),
        ("mill/PRM-0013", "imported"),
    ]
