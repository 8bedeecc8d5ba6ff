"""Events and the lines of the log, there and back, and what the lines add up to."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.access.access_log import (
    DIRECTORY_SEARCH,
    AccessEvent,
    AccessLogEntry,
    format_log_line,
    parse_access_log,
)
from cortexfs.core.atoms.atom import Flaw

TEXTS = st.text(max_size=8)
NAMES = st.text(min_size=1, max_size=8)
EVENTS = st.builds(AccessEvent, TEXTS, NAMES, TEXTS, NAMES, TEXTS, TEXTS, TEXTS)
ENTRIES = st.builds(
    AccessLogEntry,
    st.sampled_from(["EXP-001.md", "K-001.md", DIRECTORY_SEARCH]),
    st.sampled_from(["2026-05-01", "2026-05-01T00:00:00Z", "2026-05-01T00:00:00.500Z", "2026-06"]),
    note=st.sampled_from(["", "a", "b"]),
)


def test_a_log_line_has_its_keys_in_order_and_no_empty_value() -> None:
    event = AccessEvent("flywheel", "EXP-001.md", "Read", "2026-04-02T03:12:21.074Z")
    short = '{"file":"EXP-001.md","tool":"Read","ts":"2026-04-02T03:12:21.074Z"'
    assert format_log_line(event) == short + "}\n"
    whole = event._replace(note="toolu_1", agent="a1", session="s1")
    assert format_log_line(whole) == short + ',"session":"s1","agent":"a1","note":"toolu_1"}\n'


@given(EVENTS)
def test_an_event_is_one_log_line_and_parses_back(event: AccessEvent) -> None:
    text = format_log_line(event)
    assert text.encode().decode().splitlines() == [text.removesuffix("\n")]
    clean = [value.encode(errors="replace").decode() for value in event]
    assert parse_access_log(text) == (
        [AccessLogEntry(clean[1], clean[3], clean[2], clean[4], clean[6])],
        [],
    )


def test_log_lines_do_not_escape_non_ascii_letters() -> None:
    assert "Żółw 亀 🐢" in format_log_line(
        AccessEvent("p", "EXP-001.md", "Read", "t", session="Żółw 亀 🐢")
    )


@given(
    st.lists(EVENTS, max_size=5), st.binary(max_size=20), st.sampled_from(["\n", "\r\n", "\n\n \n"])
)
def test_a_bad_line_does_not_hide_good_lines(
    events: list[AccessEvent], bad: bytes, end: str
) -> None:
    rows = [format_log_line(event).rstrip("\n") for event in events]
    good = parse_access_log(end.join(rows))[0]
    assert len(good) == len(events)
    entries, flaws = parse_access_log(
        end.join([*rows, bad.replace(b"\n", b"").decode(errors="surrogateescape")])
    )
    assert entries == good
    assert bool(flaws) == bool(bad.replace(b"\n", b"").strip(b" \t\r"))


@pytest.mark.parametrize(
    "bad",
    [
        "x", "7", "null", "[]", "{}", '{"file":"a"}', '{"file":"a","ts":""}', '{"file":1,"ts":"t"}',
        '{"file":"a","ts":null}', '{"file":"a","ts":"t"}{"file":"b","ts":"t"}', "[" * 100_000,
        '{"file":"\\ud800","ts":"t"}', '{"file":"a","ts":"2026-04-02T03:1',
    ],
)  # fmt: skip
def test_a_line_that_is_not_an_event_is_reported_with_its_number(bad: str) -> None:
    good = '{"file":"a","ts":"t"}'
    entries, flaws = parse_access_log(f"{good}\n\n{bad}\n{good}\n{bad}")
    assert entries == [AccessLogEntry("a", "t"), AccessLogEntry("a", "t")]
    assert [(flaw.code, flaw.line) for flaw in flaws] == [("bad-log-line", 3), ("bad-log-line", 5)]


def test_after_the_first_hundred_bad_lines_the_others_are_counted() -> None:
    good = '{"file":"a","ts":"t"}\n'
    entries, flaws = parse_access_log("{\n" * 100 + good + "{\n" * 10_000 + good)
    assert len(entries) == 2
    assert [flaw.line for flaw in flaws] == [*range(1, 101), 102]
    assert flaws[-1] == Flaw("bad-log-line", "not access events: 10000 more lines from here", 102)
    assert len(parse_access_log("{\n" * 100)[1]) == 100


def test_invalid_utf8_is_one_bad_line() -> None:
    log = b'\xef\xbb\xbf{"file":"a","ts":"t"}\n{"file":"\xff","ts":"t"}\n'
    entries, flaws = parse_access_log(log.decode(errors="surrogateescape"))
    assert (entries, [flaw.line for flaw in flaws]) == ([AccessLogEntry("a", "t")], [2])


def test_only_file_and_time_are_required() -> None:
    odd = json.dumps({"file": "a", "ts": "t", "tool": None, "session": 1, "note": [], "more": {}})
    assert parse_access_log(odd) == ([AccessLogEntry("a", "t")], [])
