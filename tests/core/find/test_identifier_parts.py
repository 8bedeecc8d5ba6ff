"""Options, versions and hexadecimal numbers are names within identifiers."""

from __future__ import annotations

import pytest

from cortexfs.core.find.identifier_parts import MAX_OPTION_CHARS, find_option, list_numbers


@pytest.mark.parametrize(
    ("word", "option"),
    [
        ("-xzf", "-xzf"),
        ("`-Wall`,", "-wall"),
        ("--max-size=5", "--max-size"),
        ("-XX:MaxHeap=1g", "-xx:maxheap"),
        ("-I/usr/include", "-i"),
        ("a-b", ""),
        ("---", ""),
        ("---x", ""),
        ("-9", ""),
        ("-" + "x" * MAX_OPTION_CHARS, ""),
    ],
)
def test_an_option_is_named_with_its_minus(word: str, option: str) -> None:
    assert find_option(word) == option


@pytest.mark.parametrize(
    ("identifier", "numbers"),
    [
        ("v18.2.3", ["18.2.3", "18.2", "18"]),
        ("py:3.11.4-slim", ["3.11.4", "3.11"]),
        ("tool-v2.0.0-rc1", ["2.0.0-rc1", "2.0", "2"]),
        ("pkg@4.17.21", ["4.17.21", "4.17"]),
        ("10.0.0.1:5432", ["10.0.0.1", "10.0"]),
        ("a1.2b", []),
        ("v2", []),
        ("0x80ab", ["80ab"]),
        ("0x1", []),
    ],
)
def test_numbers_are_found_without_what_is_before_them(identifier: str, numbers: list[str]) -> None:
    assert list(list_numbers(identifier)) == numbers
