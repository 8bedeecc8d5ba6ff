from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from json_documents import values, written

from cortexfs.clients.json_nodes import find_node, parse_json
from cortexfs.clients.json_splice import append_value, remove_entry, set_value
from cortexfs.errors import Refused, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.clients.json_nodes import JsonNode, JsonPath, JsonValue

objects = st.dictionaries(st.text(max_size=4), values, max_size=4)


def parse_plain(text: str) -> object:
    return json.loads(text.removeprefix("\ufeff"))


def list_nodes(node: JsonNode, path: JsonPath = ()) -> Iterator[tuple[JsonPath, JsonNode]]:
    yield path, node
    for step, inner in node.children.items():
        yield from list_nodes(inner, (*path, step))


@given(written(values))
def test_the_span_of_every_node_contains_its_value(text: str) -> None:
    for _, node in list_nodes(parse_json(text)):
        assert json.loads(text[node.start : node.end]) == node.value
    assert parse_json(text).value == parse_plain(text)


@given(st.text(alphabet='{}[]",:01-.eEtruefalsn \n\\/', max_size=12))
@example("[1,]")
@example('{"a":1,}')
@example("01")
@example("")
@example("\ufeff")
def test_the_parser_accepts_what_the_standard_library_accepts(text: str) -> None:
    try:
        expected = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=refuse_duplicate_keys)
    except ValueError:
        with pytest.raises(Unreadable):
            parse_json(text)
    else:
        assert parse_json(text).value == expected


def refuse_duplicate_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError
    return dict(pairs)


@given(written(objects), st.data())
def test_removing_an_entry_keeps_all_others(text: str, data: st.DataObject) -> None:
    chosen, _ = data.draw(st.sampled_from(list(list_nodes(parse_json(text)))))
    expected = parse_plain(text)
    if chosen:
        parent = expected
        for step in chosen[:-1]:
            parent = parent[step]  # type: ignore[index]
        del parent[chosen[-1]]  # type: ignore[attr-defined]
    assert parse_plain(remove_entry(text, chosen)) == expected


@given(written(objects), st.data(), values)
def test_setting_a_value_changes_no_byte_around_it(
    text: str, data: st.DataObject, value: JsonValue
) -> None:
    path, node = data.draw(st.sampled_from(list(list_nodes(parse_json(text)))))
    new = set_value(text, path, value)
    assert new.startswith(text[: node.start])
    assert new.endswith(text[node.end :])
    assert find_node(parse_json(new), path).value == value  # type: ignore[union-attr]


@given(written(objects), st.data(), values)
def test_removing_an_added_entry_restores_the_bytes(
    text: str, data: st.DataObject, value: JsonValue
) -> None:
    path, node = data.draw(st.sampled_from(list(list_nodes(parse_json(text)))))
    assume(node.children or text[node.start : node.end] in ("{}", "[]"))
    is_object = isinstance(node.value, dict)
    entry: JsonPath = (*path, "a new key" if is_object else len(node.children))
    new = set_value(text, entry, value) if is_object else append_value(text, path, value)
    found = find_node(parse_json(new), entry)
    assert found
    assert found.value == value
    assert remove_entry(new, entry) == text


@given(written(objects), values)
def test_missing_parent_objects_are_created(text: str, value: JsonValue) -> None:
    expected = copy.deepcopy(parse_plain(text))
    expected["new one"] = {"new two": [value]}  # type: ignore[index]
    assert parse_plain(append_value(text, ("new one", "new two"), value)) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", '{\n  "n": {\n    "x": 1\n  }\n}'),
        ('{"a":1}', '{"a":1,"n":{"x":1}}'),
        ('{"a": 1}', '{"a": 1, "n": {"x": 1}}'),
        ('{ "a": 1 }\n', '{ "a": 1, "n": {"x": 1} }\n'),
        ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"n": {\n\t\t"x": 1\n\t}\n}\n'),
        ('  {\n    "a": 1\n  }', '  {\n    "a": 1,\n    "n": {\n      "x": 1\n    }\n  }'),
        ('{\r\n "a" : 1\r\n}', '{\r\n "a" : 1,\r\n "n" : {\r\n  "x" : 1\r\n }\r\n}'),
        ('{\n    "n": {}\n}', '{\n    "n": {\n        "x": 1\n    }\n}'),
        ('{\n  "n": {"y": 2}\n}', '{\n  "n": {"y": 2, "x": 1}\n}'),
        ('{\n  "a": 1,\n\n  "b": 2\n}', '{\n  "a": 1,\n\n  "b": 2,\n  "n": {\n    "x": 1\n  }\n}'),
        ('\ufeff{"\\u0061":  1}', '\ufeff{"\\u0061":  1, "n":  {"x":  1}}'),
    ],
)
def test_a_new_entry_has_the_layout_of_its_neighbours(before: str, after: str) -> None:
    assert set_value(before, ("n", "x"), 1) == after


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("", "line 1, column 1", "expecting value"),
        ('{\n  "a": 1,\n}', "line 3, column 1", "a key in double quotes is missing"),
        ("{'a': 1}", "line 1, column 2", "a key in double quotes is missing"),
        ('{"a" 1}', "line 1, column 6", "a `:` is missing"),
        ('{"a": 1 "b": 2}', "line 1, column 9", "a `,` is missing"),
        ('{"a": 1}\n}', "line 2, column 1", "text follows the end of the document"),
        ('{"a": NaN}', "line 1, column 7", "NaN is not JSON"),
        ('{"a": "b', "line 1, column 7", "unterminated string"),
        ('{"a": "\t"}', "line 1, column 8", "invalid control character"),
        ('{"a": 1,\n "a": 2}', "line 2, column 2", 'the key "a" is a duplicate'),
        ('{"a": [1, 2', "line 1, column 12", "a `,` is missing"),
        (f'{{"a": {"1" * 5000}}}', "line 1, column 7", "limit"),
    ],
)
def test_invalid_json_is_refused_with_place_and_reason(text: str, place: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=place) as refusal:
        parse_json(text)
    assert reason in str(refusal.value)


@pytest.mark.parametrize("text", ['{\n  // mine\n  "a": 1}', '{"a": 1 /* mine */}'])
def test_a_comment_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        parse_json(text)
    assert refusal.value.hint == "JSON has no comments"


@pytest.mark.parametrize("bomb", ["[" * 100_000, '{"a":' * 100_000, "[" * 101 + "]" * 101])
def test_deep_nesting_is_refused(bomb: str) -> None:
    with pytest.raises(Unreadable, match="nested more than 100 levels deep"):
        parse_json(bomb)


@pytest.mark.parametrize("path", [("a", "b"), ("l", "b"), ("d", 0)])
def test_a_path_through_a_value_of_another_type_is_refused(path: JsonPath) -> None:
    with pytest.raises(Refused, match="another type"):
        set_value('{"a": 1, "l": [], "d": {}}', path, 1)


def test_removing_a_missing_entry_changes_nothing() -> None:
    text = '{"a": [1 , 2]}'
    assert (
        remove_entry(text, ("b",))
        == remove_entry(text, ("a", 2))
        == remove_entry(text, ("b", "c"))
        == text
    )
    assert remove_entry(text, ()) == text
