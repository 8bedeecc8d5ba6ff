"""Requests of the same second share an answer; what the server has changed is in the next one."""

from __future__ import annotations

import sys
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.governance.project_status import StatusUpdate
from cortexfs.errors import Refused
from cortexfs.interfaces.rest import shared_answers as module
from cortexfs.interfaces.rest.answers import Answer
from cortexfs.interfaces.rest.shared_answers import SharedAnswers
from cortexfs.operations.status_md import set_status
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place


def test_an_answer_is_shared_until_the_session_changes_something(
    sample: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_AGE_S", 3600.0)
    session = Session.open(str(sample.root), lambda: datetime(2026, 5, 6, tzinfo=UTC))
    shared, made = SharedAnswers(session), list[int]()

    def make() -> Answer:
        made.append(len(made))
        return Answer(made[-1])

    assert [shared.get("a", make).document for _ in range(3)] == [0, 0, 0]
    assert shared.get("b", make).document == 1
    set_status(session, "driftwood", StatusUpdate(next=("Look at the pump",)))
    assert shared.get("a", make).document == 2


def test_an_old_answer_is_made_again(sample: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_AGE_S", 0.0)
    session = Session.open(str(sample.root), lambda: datetime(2026, 5, 6, tzinfo=UTC))
    shared = SharedAnswers(session)
    answers = [shared.get("a", lambda: Answer(object())).document for _ in range(2)]
    assert answers[0] is not answers[1]


def test_only_the_latest_answers_are_kept(sample: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_AGE_S", 3600.0)
    session = Session.open(str(sample.root), lambda: datetime(2026, 5, 6, tzinfo=UTC))
    shared = SharedAnswers(session)
    first = shared.get("0", lambda: Answer(object())).document
    for number in range(1, module.MAX_SHARED + 1):
        shared.get(str(number), lambda: Answer(None))
    assert shared.get("0", lambda: Answer(object())).document is not first


def test_requests_that_come_meanwhile_wait_for_the_answer(
    sample: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_AGE_S", 3600.0)
    session = Session.open(str(sample.root), lambda: datetime(2026, 5, 6, tzinfo=UTC))
    shared, answers = SharedAnswers(session), list[object]()
    others = [
        threading.Thread(target=lambda: answers.append(shared.get("a", lambda: Answer("other"))))
        for _ in range(3)
    ]

    def make() -> Answer:
        for each in others:
            each.start()
        while count_waiting(others) < len(others):
            pass
        return Answer("first")

    assert shared.get("a", make) == Answer("first")
    for each in others:
        each.join()
    assert answers == [Answer("first")] * len(others)


def count_waiting(threads: list[threading.Thread]) -> int:
    """Return how many threads wait for an event."""
    frames = sys._current_frames()
    found = (frames.get(each.ident or 0) for each in threads)
    return sum(frame is not None and frame.f_code.co_name == "wait" for frame in found)


def test_who_waited_for_a_refusal_makes_the_answer(sample: Place) -> None:
    session = Session.open(str(sample.root), lambda: datetime(2026, 5, 6, tzinfo=UTC))
    shared, answers = SharedAnswers(session), list[object]()
    other = threading.Thread(
        target=lambda: answers.append(shared.get("a", lambda: Answer("other")))
    )

    def refuse() -> Answer:
        other.start()
        while not count_waiting([other]):
            pass
        raise Refused("not now")

    with pytest.raises(Refused):
        shared.get("a", refuse)
    other.join()
    assert answers == [Answer("other")]
