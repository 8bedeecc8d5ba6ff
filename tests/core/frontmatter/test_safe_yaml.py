from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest
import yaml
from soak_cases import leave_rows_to_soak

from cortexfs.core.frontmatter import safe_yaml, yaml_reader
from cortexfs.core.frontmatter.atom_text import MAX_BYTES, edit_frontmatter, parse_frontmatter
from cortexfs.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEP = 50_000
ALIAS_BOMB = "a: &a [x, x]\n" + "".join(f"k{n}: &k{n} [*a, *a]\n" for n in range(9))
MERGE_BOMB = "a: {<<: {<<: {<<: {x: y}}}}\n"
MANY_KEYS = "".join(f"k{n}: v\n" for n in range(yaml_reader.MAX_KEYS + 1))
DEEPEST = "a: " + "[" * (yaml_reader.MAX_DEPTH - 1) + "]" * (yaml_reader.MAX_DEPTH - 1) + "\n"


def choose_parser(monkeypatch: pytest.MonkeyPatch, *, c_parser: bool) -> None:
    """PyYAML is built with a C parser, or it has only the one in Python."""
    monkeypatch.setattr(yaml, "__with_libyaml__", c_parser)
    yaml_reader._choose_loader.cache_clear()


@pytest.fixture(params=[True, False], ids=["C", "Python"])
def _either_parser(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    choose_parser(monkeypatch, c_parser=request.param)
    yield
    yaml_reader._choose_loader.cache_clear()


def fenced(block: str) -> str:
    return f"---\n{block}---\nBody.\n"


@pytest.mark.usefixtures("_either_parser")
@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    leave_rows_to_soak(
        [
            ("", "no-frontmatter", 1, 1),
            ("# DR-0007: Title\n", "no-frontmatter", 1, 1),
            ("----\na: b\n----\n", "no-frontmatter", 1, 1),
            ("---", "unclosed-frontmatter", 1, 1),
            ("---\na: b\n ---\n", "unclosed-frontmatter", 1, 1),
            (fenced("a: b\n" * 2_000_000), "frontmatter-too-large", 1, 1),
            (fenced("a: " + "é" * (MAX_BYTES // 2) + "\n"), "frontmatter-too-large", 1, 1),
            (fenced("a: " + "[" * DEEP + "\n"), "frontmatter-too-deep", 2, 19),
            (fenced("- " * (DEEP // 2) + "\n"), "not-a-mapping", 2, 1),
            (
                fenced("a:\n" + "".join(" " * n + "a:\n" for n in range(1, 99))),
                "frontmatter-too-deep",
                18,
                17,
            ),
            (fenced(MANY_KEYS), "frontmatter-too-many-keys", 514, 1),
            (
                fenced("a: {" + "x: {" * 9 + "}" * 10 + "\nb: {" + "k: , " * 9_000 + "}\n"),
                "duplicate-key",
                3,
                10,
            ),
            (fenced(ALIAS_BOMB), "yaml-feature", 2, 4),
            (fenced("a: *a\n"), "yaml-feature", 2, 4),
            (fenced(MERGE_BOMB), "yaml-feature", 2, 5),
            (fenced("a: !!python/object/apply:os.system [ls]\n"), "yaml-feature", 2, 4),
            (fenced("!x\na: b\n"), "yaml-feature", 2, 1),
            (fenced("a: b\n? c\n: d\n"), "yaml-feature", 3, 3),
            (fenced("?\n  c\n: d\n"), "yaml-feature", 3, 3),
            (fenced("a: {? b : c}\n"), "yaml-feature", 2, 7),
            (fenced("a: b\n[c]: d\n"), "yaml-feature", 3, 1),
            (fenced("title: {{ title }}\n"), "yaml-feature", 2, 9),
            (fenced("a: b\n--- c\n"), "yaml-feature", 3, 1),
            (fenced("a: b\n...\n"), "yaml-feature", 3, 1),
            (fenced("a: b\nc: d\na: e\n"), "duplicate-key", 4, 1),
            (fenced("a: {b: c, 'b': d}\n"), "duplicate-key", 2, 11),
            (fenced("- a\n- b\n"), "not-a-mapping", 2, 1),
            (fenced("\nonly words\n"), "not-a-mapping", 3, 1),
            (fenced("1: a\n"), "non-text-key", 2, 1),
            (fenced("a: {on: b}\n"), "non-text-key", 2, 5),
            (fenced("2026-03-09: a\n"), "non-text-key", 2, 1),
            (fenced("a: [b\nc: d\n"), "bad-yaml", 3, 2),
            (fenced("a: b: c\n"), "bad-yaml", 2, 5),
            (fenced("a: b\n\tc: d\n"), "bad-yaml", 3, 1),
            (fenced("a: b\nc: d\0e\n"), "bad-yaml", 3, 5),
            (fenced("a: \ud800\n"), "bad-yaml", 2, 4),
            (fenced("\ufeffa: b\n"), "bad-yaml", 2, 1),
            (fenced("a: b\n\x1b[2J\x00\xff\n"), "bad-yaml", 3, 1),
        ],
        every=3,
    ),
    ids=lambda value: value[:24] if isinstance(value, str) else str(value),
)
def test_unreadable_frontmatter_is_one_flaw_with_its_place(
    text: str, code: str, line: int, column: int
) -> None:
    parsed = parse_frontmatter(text)
    assert [(flaw.code, flaw.line, flaw.column) for flaw in parsed.flaws] == [(code, line, column)]
    assert "\n" not in parsed.flaws[0].message
    assert not parsed.fields
    with pytest.raises(Unreadable, match=rf"^line {line}: ") as refusal:
        edit_frontmatter(text, {"a": "z"})
    assert refusal.value.hint


def test_quoted_keys_are_text() -> None:
    assert parse_frontmatter(fenced("'1': a\n\"<<\": b\n")).fields == {"1": "a", "<<": "b"}


def test_frontmatter_at_the_limits_is_read() -> None:
    longest = "a: " + "x" * (MAX_BYTES - 4) + "\n"
    most = MANY_KEYS[: MANY_KEYS.rindex("k")]
    assert [parse_frontmatter(fenced(block)).flaws for block in (DEEPEST, longest, most)] == [
        ()
    ] * 3


def test_a_huge_frontmatter_is_refused_without_copying_it() -> None:
    text = fenced("a: b\n" * 2_000_000)
    tracemalloc.start()
    try:
        parse_frontmatter(text)
        assert tracemalloc.get_traced_memory()[1] < MAX_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "block",
    [
        "a: x  # y\nb:   # z\nc:\n\nd: ~\n",
        "a: 'it''s'\n\"b\": \"\\u00e9 \\\n  😀\"\nc: x\n  y\n\n  z # w\n",
        "a: |\n  x\n\n  # y\n\n\nb: >-2 # z\n    w\n  \n# c\nc: |+\n\n",
        "a:\n- x\n-\n- y: z\n  w: |\n    v\n\nb:\n  c:\n    d: [e,\n      {f: g}] # h\n",
        "a: [x,\n\n  'y']\r\nb: {c: d}\r\ne:\r\n  - f\r\n",
        "{a: x, 'b': [y]}\n",
        "# nothing\n",
    ],
)
def test_the_c_and_python_parsers_give_the_same_entries(
    block: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_parser(monkeypatch, c_parser=False)
    in_python = safe_yaml.parse_safe_yaml(block)
    choose_parser(monkeypatch, c_parser=True)
    assert safe_yaml.parse_safe_yaml(block) == in_python
    assert isinstance(in_python, tuple)


def test_an_unquoted_status_with_a_space_before_its_cause_is_read() -> None:
    text = "---\nid: EXP-006\nstatus: invalidated: EXP-009  # by the audit\nrefs: 2\n---\nBody.\n"
    parsed = parse_frontmatter(text)
    assert parsed.flaws == ()
    assert parsed.fields["status"] == "invalidated: EXP-009"
    assert edit_frontmatter(text, {"refs": "3"}) == text.replace("refs: 2", "refs: 3")


def test_another_key_with_an_unquoted_colon_is_bad_yaml() -> None:
    parsed = parse_frontmatter("---\nid: EXP-006\nsummary: note: EXP-009\n---\n")
    assert [flaw.code for flaw in parsed.flaws] == ["bad-yaml"]
