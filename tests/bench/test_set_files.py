"""Files of published sets are read as streams, and errors name the line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import set_files
from bench.set_files import (
    BadSetFile,
    iter_json_array,
    iter_json_lines,
    read_grades,
    read_json_object,
    run_program,
)

if TYPE_CHECKING:
    from pathlib import Path

VALUES = st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.booleans()))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "set.json"


@pytest.mark.parametrize("chunk", [1, 2, 7, 1000])
def test_an_array_is_read_object_by_object_however_it_is_cut(
    path: Path, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(set_files, "CHUNK_CHARS", chunk)
    values = [{"a": 'long é \\ " \n]},{ text'}, {}, {"b": [True, None, -1.5e3], "c": {"d": "]"}}]
    path.write_text(f"\n{json.dumps(values, indent=1)}\n")
    assert [one.fields for one in iter_json_array(path)] == values
    assert [one.line for one in iter_json_array(path)] == [3, 6, 7]


@pytest.mark.soak
@given(st.lists(VALUES), st.sampled_from([None, 1]))
def test_any_array_of_objects_is_read(
    tmp_path_factory: pytest.TempPathFactory, values: list[dict], indent: int | None
) -> None:
    path = tmp_path_factory.mktemp("array") / "set.json"
    path.write_text(json.dumps(values, indent=indent))
    assert [one.fields for one in iter_json_array(path)] == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: a JSON array was expected"),
        ('{"a": 1}', ":1: a JSON array was expected"),
        ('[{"a": 1},\n 7]', ":2: an object was expected"),
        ('[{"a": 1}\n {}]', ":2: `,` or `]` was expected"),
        ('[{"a": 1}', ":1: `,` or `]` was expected"),
        ('[\n{"a":\n tru, "b": "' + "x" * 99 + '"}]', ":3: not JSON: Expecting value"),
        ('[\n{"a": "b', ":2: not JSON: Unterminated string starting at"),
        ('[\n{"a": 1', ":2: not JSON: Expecting ',' delimiter"),
    ],
)
def test_a_broken_array_is_refused_with_its_line(path: Path, text: str, message: str) -> None:
    path.write_text(text)
    with pytest.raises(BadSetFile) as caught:
        list(iter_json_array(path))
    assert str(caught.value) == f"{path}{message}"


def test_a_broken_line_is_refused_after_the_lines_before_it(path: Path) -> None:
    path.write_text('{"a": 1}\n\n{"a": 2\n[]\n')
    lines = iter_json_lines(path)
    assert next(lines).fields == {"a": 1}
    with pytest.raises(BadSetFile, match=r"set\.json:3: not JSON: "):
        next(lines)
    path.write_text("[]\n")
    with pytest.raises(BadSetFile, match=r"set\.json:1: not a JSON object"):
        next(iter_json_lines(path))


def test_a_broken_object_is_refused_with_its_line(path: Path) -> None:
    path.write_text('{"a":\n 1,\n}')
    with pytest.raises(BadSetFile, match=r"set\.json:3: not JSON: "):
        read_json_object(path)
    path.write_text("[]")
    with pytest.raises(BadSetFile, match=r"set\.json:1: not a JSON object"):
        read_json_object(path)


def test_a_byte_order_mark_is_ignored(path: Path) -> None:
    path.write_text('\ufeff{"a": 1}')
    assert read_json_object(path).fields == next(iter_json_lines(path)).fields == {"a": 1}
    path.write_text('\ufeff[{"a": 1}]')
    assert next(iter_json_array(path)).fields == {"a": 1}


def test_a_missing_file_and_a_missing_key_are_named(path: Path) -> None:
    for read in (iter_json_array, iter_json_lines, read_grades, read_json_object):
        with pytest.raises(BadSetFile, match="no such file"):
            list(read(path))
    path.write_text('{"_id": 7, "text": ["x"], "turns": [{"role": "user"}, 3]}')
    (record,) = iter_json_lines(path)
    assert record.get_id("_id") == "7"
    assert record.get("title", str, "none") == "none"
    for key, problem in {"title": "is missing", "text": "is not a text"}.items():
        with pytest.raises(BadSetFile, match=f"set.json:1: `{key}` {problem}"):
            record.get(key, str)
    with pytest.raises(BadSetFile, match=r"set\.json:1: `turns\[1\]` is not an object"):
        record.get_objects("turns")
    (turn,) = record.to_records([{"role": "user"}], "turns")
    with pytest.raises(BadSetFile, match=r"set\.json:1: turns\[0\]: `content` is missing"):
        turn.get("content", str)


@pytest.mark.parametrize(
    "text",
    [
        "query-id\tcorpus-id\tscore\nq 1\td1\t2\nq 1\td2\t0\nq2\td1\t-1\n",
        "q_1  0 d1 2\nq_1 0  d2 0 \nq2 0 d1 -1\n".replace("_", "~"),
        "q~1 d1 1\nq~1 d1 2\nq~1 d2 0\n\nq2 d1 -1",
    ],
)
def test_judgments_are_read_in_three_layouts(path: Path, text: str) -> None:
    path.write_text(text)
    grades, _ = read_grades(path)
    assert list(grades.values()) == [{"d1": 2, "d2": 0}, {"d1": -1}]


def test_a_wrong_judgment_is_refused_with_its_line(path: Path) -> None:
    for first, broken in [
        ("q1 d1 1", "q1 d1 high"),
        ("q1 d1 1", "q1 0 0 d1 1"),
        ("q1 d1 1", "q1 1"),
        ("q1 0 d1 1", "q1 0 7 "),  # without its grade it looks like the other layout
    ]:
        path.write_text(f"{first}\n{broken}\n")
        with pytest.raises(BadSetFile, match=r"set\.json:2: not `QUERY TEXT GRADE`"):
            read_grades(path)
    path.write_text("query-id\tcorpus-id\tscore\n")
    with pytest.raises(BadSetFile, match="no grades"):
        read_grades(path)


def test_a_program_ends_with_the_message(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run_program(lambda: list(iter_json_lines(path)))
    assert caught.value.code == 2
    assert capsys.readouterr().err == f"error: {path}: no such file\n"
