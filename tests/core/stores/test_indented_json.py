"""A document that is written line by line is what the library writes at once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cortexfs.core.stores.indented_json import iter_indented_lines

LISTS: list[list[Any]] = [
    [],
    [1],
    [{"path": "ä\n  b", "fields": {"tags": ["x", []]}, "body": "]\n}"}, {}, "two\nlines", [[]]],
]


@pytest.mark.parametrize("items", LISTS)
def test_the_lines_are_those_of_the_library(items: list[Any]) -> None:
    document = {"format": 1, "atoms": items, "reads": {"p": ["a\tb"]}, "rest": items}
    lines = iter_indented_lines({**document, "atoms": iter(items), "rest": iter(items)})
    assert "\n".join(lines) == json.dumps(document, indent=1)


def test_an_item_is_read_when_its_line_is_wanted() -> None:
    wanted = iter_indented_lines({"atoms": (f"{1 // (2 - number)}" for number in range(9))})
    assert [next(wanted) for _ in range(3)] == ["{", ' "atoms": [', '  "0",']
