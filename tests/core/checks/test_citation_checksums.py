"""A citation that carries a sum tells when the cited line has changed since."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.checks.citation_checksums import (
    LineCitation,
    compute_checksum,
    find_changed_lines,
    insert_checksums,
    parse_citations,
)

FILES = {
    "src/store.py": ["import os", "", "def keep():", "    return os.sep", "keep()"],
    "bench/out.csv": ["set,rate", "tide,410"],
}


def _messages(text: str, files: dict[str, list[str]]) -> list[str]:
    return [flaw.message for flaw in find_changed_lines(parse_citations(text), files.get)]


def test_a_citation_of_existing_lines_gets_a_checksum() -> None:
    text = "As `src/store.py:3` has it (bench/out.csv:1-2).\n"
    one, two = (
        compute_checksum(FILES["src/store.py"][2:3]),
        compute_checksum(FILES["bench/out.csv"]),
    )
    assert insert_checksums(text, FILES.get) == (
        f"As `src/store.py:3#{one}` has it (bench/out.csv:1-2#{two}).\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "src/store.py:6 src/store.py:0 src/store.py:4-2 src/other.py:1",
        "src/store.py:3#9f3a1c",
        "src/store.py:3#L4 src/store.py:3:7 src/store.py:3-x src/store.py:3a",
        "https://example.org/src/store.py:3 /src/store.py:3 ../src/store.py:3 x/../src/store.py:3",
        "```\nsrc/store.py:3\n```",
        "---\nid: K-001\nsource: src/store.py:3\n---\n",
        "src/store.py and line 3",
    ],
)
def test_other_citations_get_no_checksum(text: str) -> None:
    assert insert_checksums(text, FILES.get) == text


def test_a_citation_has_its_own_line() -> None:
    text = "---\nid: K-001\n---\n\nsee `src/store.py:3-4#9f3a1c`\n"
    assert parse_citations(text) == (LineCitation("src/store.py", 3, 4, "9f3a1c", 5),)
    assert [str(cited) for cited in parse_citations(text)] == ["src/store.py:3-4"]


def test_a_change_of_indentation_is_not_reported() -> None:
    text = insert_checksums("src/store.py:4", FILES.get)
    indented = {"src/store.py": [*FILES["src/store.py"][:3], "\t\treturn  os.sep "]}
    assert _messages(text, FILES) == _messages(text, indented) == []


def test_a_changed_moved_or_missing_line_is_reported() -> None:
    text = f"one\n{insert_checksums('src/store.py:4', FILES.get)}\n"
    lines = FILES["src/store.py"]
    assert _messages(text, {}) == ["`src/store.py:4` no longer exists"]
    assert _messages(text, {"src/store.py": lines[:3]}) == ["`src/store.py:4` has changed since"]
    moved = {"src/store.py": ["# new", "# newer", *lines]}
    assert _messages(text, moved) == ["`src/store.py:4` has moved to line 6"]
    twice = {"src/store.py": ["#", lines[3], "#", "#", lines[3]]}
    assert _messages(text, twice) == ["`src/store.py:4` has changed since"]
    (flaw,) = find_changed_lines(parse_citations(text), {}.get)
    assert (flaw.code, flaw.line) == ("cited-line-changed", 2)


def test_several_lines_that_moved_together_are_found() -> None:
    text = insert_checksums("src/store.py:3-4", FILES.get)
    moved = {"src/store.py": ["#", *FILES["src/store.py"]]}
    assert _messages(text, moved) == ["`src/store.py:3-4` has moved to line 4"]


words = st.sampled_from(
    [
        "src/store.py:3",
        "bench/out.csv:1-2",
        "`",
        " ",
        "\n",
        "#9f3a1c",
        "```\n",
        "see",
        "src/store.py:99",
    ]
)
texts = st.lists(words).map("".join) | st.text()


@given(texts)
def test_inserting_checksums_removes_nothing_and_is_idempotent(text: str) -> None:
    once = insert_checksums(text, FILES.get)
    assert insert_checksums(once, FILES.get) == once, "twice is once"
    assert _messages(once, FILES) == _messages(text, FILES), "what it adds is true"
    rest = iter(once)
    assert all(letter in rest for letter in text), "every letter is there, in its order"


@pytest.mark.parametrize("line", ["```a\n", "~~~\n", "```\n", "`", "src/a.py:1#"])
def test_parsing_citations_takes_linear_time(line: str) -> None:
    began = time.process_time()
    parse_citations("#" + line * (200_000 // len(line)))
    assert time.process_time() - began < 2


def test_many_citations_of_long_ranges_are_compared_in_bounded_time() -> None:
    lines = [str(number) for number in range(4_000)]
    text = "a.py:1-2000#000000 " * 50
    began = time.process_time()
    messages = _messages(text, {"a.py": lines})
    assert time.process_time() - began < 2
    assert messages == ["`a.py:1-2000` has changed since"] * 50
