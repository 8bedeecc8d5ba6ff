"""JSON with comments and trailing commas, as clients accept it: nothing of it is lost."""

from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_documents import commented, values

from cortexfs.clients.json_nodes import (
    MAX_COMMAS,
    MAX_ENTRIES,
    find_node,
    parse_json,
    parse_jsonc,
)
from cortexfs.clients.json_splice import append_value, remove_entry, set_value
from cortexfs.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.clients.json_nodes import JsonNode, JsonPath

objects = st.dictionaries(st.text(max_size=4), values, max_size=3)


def list_nodes(node: JsonNode, path: JsonPath = ()) -> Iterator[tuple[JsonPath, JsonNode]]:
    yield path, node
    for step, inner in node.children.items():
        yield from list_nodes(inner, (*path, step))


def list_comments(text: str) -> list[str]:
    """Give the comments, by a reading of our own: character by character."""
    found, at = [], 0
    while at < len(text):
        if text[at] == '"':
            at += len(re.match(r'"(\\.|[^"\\])*"', text[at:], re.DOTALL)[0])  # type: ignore[index]
        elif text[at : at + 2] in ("//", "/*"):
            end = "\n" if text[at + 1] == "/" else "*/"
            stop = text.index(end, at + 2)
            found.append(text[at:stop].rstrip("\r"))
            at = stop + len(end)
        else:
            at += 1
    return found


@given(commented(values))
def test_comments_and_trailing_commas_do_not_change_the_value(drawn: tuple[str, Any]) -> None:
    text, value = drawn
    assert parse_jsonc(text).value == value


@given(commented(objects), st.data())
def test_removing_an_added_entry_restores_every_byte(
    drawn: tuple[str, Any], data: st.DataObject
) -> None:
    text, value = drawn
    containers = [
        (path, node)
        for path, node in list_nodes(parse_jsonc(text))
        if isinstance(node.value, dict | list)
    ]
    path, node = data.draw(st.sampled_from(containers))
    is_object = isinstance(node.value, dict)
    entry: JsonPath = (*path, "a new key" if is_object else len(node.children))
    new = set_value(text, entry, [1]) if is_object else append_value(text, path, [1])
    assert list_comments(new) == list_comments(text)
    expected = copy.deepcopy(value)
    inner = expected
    for step in path:
        inner = inner[step]
    inner.update({"a new key": [1]}) if is_object else inner.append([1])
    assert parse_jsonc(new).value == expected
    if node.children or not text[node.start + 1 : node.end - 1].isspace():
        assert remove_entry(new, entry) == text


@given(commented(objects), st.data())
def test_removing_an_entry_keeps_the_others_and_the_comments_around_it(
    drawn: tuple[str, Any], data: st.DataObject
) -> None:
    text, value = drawn
    nodes = [(path, node) for path, node in list_nodes(parse_jsonc(text)) if path]
    if not nodes:
        return
    path, node = data.draw(st.sampled_from(nodes))
    inner = expected = copy.deepcopy(value)
    for step in path[:-1]:
        inner = inner[step]
    del inner[path[-1]]
    new = remove_entry(text, path)
    assert parse_jsonc(new).value == expected
    inside = list_comments(text[node.key_start : node.end] + "\n")
    assert len(list_comments(new + "\n")) == len(list_comments(text + "\n")) - len(inside)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{\n  "a": 1 // one\n}\n', '{\n  "a": 1, // one\n  "n": 2\n}\n'),
        ('{\n  "a": 1, // one\n}\n', '{\n  "a": 1, // one\n  "n": 2,\n}\n'),
        ("{\n  // nothing yet\n}\n", '{\n  // nothing yet\n  "n": 2\n}\n'),
        ('{"a": 1, /* x */}', '{"a": 1, /* x */ "n": 2,}'),
        ('{"a": "// no", "b": 1 /* x */}', '{"a": "// no", "b": 1, /* x */ "n": 2}'),
        ('{ // x\n"a" /* y */ : 1 }', '{ // x\n"a" /* y */ : 1,\n"n": 2 }'),
        ('{\r\n\t"a": 1 // one\r\n}', '{\r\n\t"a": 1, // one\r\n\t"n": 2\r\n}'),
    ],
)
def test_a_comment_stays_on_the_line_of_its_entry(before: str, after: str) -> None:
    assert set_value(before, ("n",), 2) == after
    assert remove_entry(after, ("n",)) == before


@pytest.mark.parametrize("text", ['{"a": 1 /* open', '{"a": "open // }', '{"a": 1} // b\n}'])
def test_a_document_that_comments_do_not_explain_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_jsonc(text)


def test_long_strings_and_comments_are_read_in_linear_time() -> None:
    for text in (
        '{"a": "' + '\\"' * 200_000,
        '{"a": ' + "/*" * 200_000,
        '{"a": "' + "\\" * 200_001,
    ):
        with pytest.raises(Unreadable):
            parse_jsonc(text)


@given(st.dictionaries(st.text(max_size=4), values, max_size=4), st.data())
def test_a_part_of_a_document_is_parsed_as_in_the_whole(
    document: dict[str, Any], data: st.DataObject
) -> None:
    text = json.dumps(document)
    path, whole = data.draw(st.sampled_from(list(list_nodes(parse_json(text)))))
    root = parse_json(text, [path])
    assert root.value == document
    assert find_node(root, path) == whole
    others = [step for step in root.children if path and step != path[0]]
    assert not any(root.children[step].children for step in others)


def test_a_large_document_is_parsed_along_a_path() -> None:
    large = {"history": [{"n": n, "s": "x, {}" * 10} for n in range(MAX_COMMAS)], "servers": {}}
    text = json.dumps(large)
    with pytest.raises(Unreadable, match="too large"):
        parse_json(text)
    root = parse_json(text, [("servers", "mine")])
    assert root.value == large
    assert not root.children["history"].children
    assert json.loads(set_value(text, ("servers", "mine"), 1))["servers"] == {"mine": 1}


@pytest.mark.parametrize("inner", ["[" * 100_000, '{"b":' * 100_000])
def test_deep_nesting_beside_the_path_is_refused(inner: str) -> None:
    with pytest.raises(Unreadable, match="nested"):
        parse_json('{"a": ' + inner, [("x",)])


def test_more_entries_than_the_limit_beside_the_path_are_refused() -> None:
    text = json.dumps({f"k{n}": 0 for n in range(MAX_ENTRIES + 1)})
    with pytest.raises(Unreadable, match="more than 5000 entries"):
        parse_json(text, [("x",)])


def test_comments_without_an_end_are_refused_in_time_in_proportion_to_the_text() -> None:
    for piece in ("/* ", "/*/ ", "// \n/* "):
        with pytest.raises(Unreadable):
            parse_jsonc("{" + piece * 300_000 + "}")
    with pytest.raises(Unreadable):
        parse_jsonc('{"a": 1} /* x')
