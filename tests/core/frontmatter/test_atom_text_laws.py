from __future__ import annotations

import re
from typing import NamedTuple

import frontmatter
import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from cortexfs.core.frontmatter.atom_text import (
    FrontmatterParts,
    edit_frontmatter,
    format_frontmatter,
    parse_frontmatter,
    split_frontmatter,
)
from cortexfs.errors import Refused, Unreadable

NEAR_YAML = st.text(
    "ab:- #'\"[]{},|>&*!?%@`~=<\\0.1_eTxno/\t\n\r é😀\x85\u2028\ufeff\0\ud800", max_size=60
)
HEADS = st.sampled_from(["", " x", " |", " >-", " |+2 # n", " [x,"])
HEADS |= st.sampled_from([" 'x", ' "x"', " {j: k}", "  # n", "\tno  # n", " ~"])
TAILS = st.sampled_from(["  x", "   y", "  j: k", "- x", "  - |+", "  y]", "  y'"])
TAILS |= st.sampled_from(["", "", " ", "  \t", "# n", "  # n", "\r"])
TANGLES = st.lists(st.tuples(HEADS, st.lists(TAILS, max_size=4)), min_size=1, max_size=4).map(
    lambda entries: "\n".join(
        line
        for key, (head, tail) in zip("abcd", entries, strict=False)
        for line in (f"{key}:{head}", *tail)
    )
)
"""Entries that may run into one another: a third of these can be read."""
WORDS = st.sampled_from(["no", "08", "010", "1.10", "1e3", "0o7", "0x1F", "1_0", "12:30", ".5"])
WORDS |= st.sampled_from(["2026-03-09", ".inf", "~", "Null", "N", "=", "<<", "---", "...", ":"])
MARKS = st.text("ab:- #'\"[]{},|>&*!?%@`\\\t\n\r é😀\x85\u2028\ufeff\0", max_size=9)
NUMBERISH = st.text("-+.0189:eE_xobTZ ", max_size=12)
TEXTS = WORDS | NUMBERISH | MARKS | st.text("a :#?,", max_size=4) | st.text(max_size=20)
VALUES = TEXTS | st.lists(TEXTS, max_size=4)
KEYS = st.text("abcxyz-_", min_size=2, max_size=8)

TYPED = re.compile(
    r"|~|null|Null|NULL|true|True|TRUE|false|False|FALSE|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
    r"|[yYnN]"
)
"""What PyYAML takes for text and others do not: YAML 1.2's core schema, 1.1's short booleans."""


class AllTextLoader(yaml.CSafeLoader):
    """Another road to the same values: a stock loader that resolves nothing but null."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - as PyYAML declares it
        first: [(tag, pattern) for tag, pattern in resolvers if tag.endswith(":null")]
        for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }


AllTextLoader.add_constructor("tag:yaml.org,2002:null", lambda *_: "")
AllTextLoader.add_constructor(
    "tag:yaml.org,2002:seq", lambda loader, node: tuple(map(loader.construct_object, node.value))
)


class Entry(NamedTuple):
    """An entry as its author wrote it; `{}` in `after` is where a new value shall stand."""

    before: str
    after: str


SUMMARY = "| `a` | " + "so it is 😀, # and: " * 16
ENTRIES = {
    "plain": Entry("plain: one two\n", "plain: {}\n"),
    "noted": Entry("noted: one   # 'why'\n", "noted: {}   # 'why'\n"),
    "tabbed": Entry("tabbed:\tone\t# why\n", "tabbed:\t{}\t# why\n"),
    "trailing": Entry("trailing : one  \n", "trailing : {}  \n"),
    "double": Entry('double: "a \\" # b"  # c\n', "double: {}  # c\n"),
    "single": Entry("'single': 'it''s: # b'\n", "'single': {}\n"),
    "no": Entry("'no': no\n", "'no': {}\n"),
    "octal": Entry("octal: 08\n", "octal: {}\n"),
    "time": Entry("time: 12:30\n", "time: {}\n"),
    "face": Entry("face: 😀 so\n", "face: {}\n"),
    "summary": Entry(f'summary: "{SUMMARY}"\n', "summary: {}\n"),
    "empty": Entry("empty:\n", "empty: {}\n"),
    "bare": Entry("bare:  \t# none yet\n", "bare: {}  \t# none yet\n"),
    "null": Entry("'null': ~\n", "'null': {}\n"),
    "flow": Entry("flow: [a,   'b, c']  # two\n", "flow: {}  # two\n"),
    "wide": Entry("wide: [a,  # one\n  b,\n\n  c\n  ]  # two\n", "wide: {}  # two\n"),
    "braces": Entry("braces: {a: b, c: [d]}\n", "braces: {}\n"),
    "list": Entry("list:   # which\n- a\n- b  # of\n", "list: {}   # which\n"),
    "indented": Entry("indented:\n    # a\n    - a\n\n    # b\n    - b\n\n", "indented: {}\n\n"),
    "mapping": Entry("mapping:\n  a: b\n  c:\n    - |\n      d\n\n", "mapping: {}\n\n"),
    "literal": Entry("literal: |\n  a\n\n  # text\n   b\n", "literal: {}\n"),
    "folded": Entry("folded: >-2 # why\n   a\n\n\n   b\n\n  \n", "folded: {} # why\n\n  \n"),
    "kept": Entry("kept: |+\n  a\n\n", "kept: {}\n\n"),
    "lines": Entry("lines: one\n  two\n\n  three  # four\n", "lines: {}  # four\n"),
    "below": Entry("below:  # why\n  one\n  two\n", "below:  # why\n  {}\n"),
    "quoted": Entry('quoted: "one\n\n  two"\n', "quoted: {}\n"),
    "headed": Entry(
        "# about it\n\nheaded: one\n# after it\n", "# about it\n\nheaded: {}\n# after it\n"
    ),
}
BLOCKS = st.permutations(list(ENTRIES))
FENCES = st.sampled_from(
    [("---\n", "---\nBody.\n"), ("--- \n", "---"), ("\ufeff---\n", "---\t\n\n# A\n\n---\n")]
)


def join_blocks(blocks: list[str], fences: tuple[str, str], *, crlf: bool) -> str:
    text = "".join(blocks).join(fences)
    return text.replace("\n", "\r\n") if crlf else text


def fenced(block: str) -> str:
    return f"---\n{block}\n---\nBody.\n"


def to_read_value(value: str | list[str]) -> str | tuple[str, ...]:
    return value if isinstance(value, str) else tuple(value)


@given(st.text() | NEAR_YAML | (NEAR_YAML | TANGLES).map(fenced))
def test_parsing_never_raises_and_the_split_parts_join_to_the_text(text: str) -> None:
    parsed = parse_frontmatter(text)
    assert not parsed.fields or all(flaw.code in {"bom", "crlf"} for flaw in parsed.flaws)
    parts = split_frontmatter(text)
    assert "".join(parts) == text if isinstance(parts, FrontmatterParts) else parts in parsed.flaws
    assert edit_frontmatter(text, {}) == text


@settings(max_examples=3 * settings().max_examples)
@given(NEAR_YAML | TANGLES)
def test_fields_are_what_a_yaml_loader_reads(block: str) -> None:
    parts, parsed = split_frontmatter(fenced(block)), parse_frontmatter(fenced(block))
    assume(not block.startswith("\ufeff"))
    assert isinstance(parts, FrontmatterParts)
    if parsed.fields:
        assert parsed.fields == yaml.load(parts.block, Loader=AllTextLoader)  # noqa: S506 - only text
    elif parsed.flaws and parsed.flaws[0].code == "bad-yaml":
        with pytest.raises((yaml.YAMLError, ValueError)):
            yaml.load(parts.block, Loader=AllTextLoader)  # noqa: S506 - only text


@settings(max_examples=3 * settings().max_examples)
@given(BLOCKS, FENCES, st.booleans(), st.sampled_from(list(ENTRIES)), VALUES)
def test_editing_a_key_changes_no_other_byte(
    order: list[str], fences: tuple[str, str], crlf: bool, key: str, value: str | list[str]
) -> None:
    before = join_blocks([ENTRIES[name].before for name in order], fences, crlf=crlf)
    fields = parse_frontmatter(before).fields
    assume(fields[key] != to_read_value(value))
    blocks = [ENTRIES[name].after if name == key else ENTRIES[name].before for name in order]
    start, end = join_blocks(blocks, fences, crlf=crlf).split("{}")
    after = edit_frontmatter(before, {key: value})
    assert after.startswith(start)
    assert after.endswith(end)
    new = after[len(start) : len(after) - len(end)]
    assert new.strip() == new.partition("\n")[0]
    assert parse_frontmatter(after).fields == {**fields, key: to_read_value(value)}


@given(BLOCKS, FENCES, st.booleans(), st.sampled_from(list(ENTRIES)))
def test_removing_a_key_changes_no_other_byte(
    order: list[str], fences: tuple[str, str], crlf: bool, key: str
) -> None:
    before = join_blocks([ENTRIES[name].before for name in order], fences, crlf=crlf)
    comments = "# about it\n\n# after it\n" if key == "headed" else ""
    blocks = [comments if name == key else ENTRIES[name].before for name in order]
    assert edit_frontmatter(before, {key: None}) == join_blocks(blocks, fences, crlf=crlf)


@given(BLOCKS, FENCES, st.booleans(), KEYS, VALUES)
def test_adding_a_key_adds_one_line_before_the_fence(
    order: list[str], fences: tuple[str, str], crlf: bool, key: str, value: str | list[str]
) -> None:
    assume(key not in ENTRIES)
    blocks = [ENTRIES[name].before for name in order]
    line = format_frontmatter({key: value})
    before, after = (join_blocks(block, fences, crlf=crlf) for block in (blocks, [*blocks, line]))
    assert line.count("\n") == 1
    assert edit_frontmatter(before, {key: value}) == after
    assert edit_frontmatter(after, {key: None}) == before


@settings(max_examples=3 * settings().max_examples)
@given(TANGLES, st.sampled_from("abcde"), VALUES | st.none())
def test_an_edit_changes_exactly_the_requested_field_or_is_refused(
    block: str, key: str, value: str | list[str] | None
) -> None:
    before = parse_frontmatter(fenced(block))
    kept = {name: text for name, text in before.fields.items() if name != key}
    try:
        after = edit_frontmatter(fenced(block), {key: value})
    except Unreadable:
        assert before.flaws
    except Refused:
        assert before.fields
    else:
        requested = {} if value is None else {key: to_read_value(value)}
        assert parse_frontmatter(after).fields == kept | requested


@given(st.dictionaries(KEYS | TEXTS, VALUES, max_size=6))
def test_formatted_fields_parse_back(fields: dict[str, str | list[str]]) -> None:
    block = format_frontmatter(fields)
    assert block.count("\n") == len(fields)
    parsed = parse_frontmatter(f"---\n{block}---\n")
    assert list(parsed.fields.items()) == [
        (key, to_read_value(value)) for key, value in fields.items()
    ]
    assert not parsed.flaws


@settings(max_examples=3 * settings().max_examples)
@example("a?b", "[old]")
@example("a #b", "old")
@given(TEXTS, st.sampled_from(["old", "'old'", '"old"', "[old]"]))
def test_every_yaml_loader_reads_an_edited_text_as_text(text: str, old: str) -> None:
    numeric = re.fullmatch(r"[0-9]+|[0-9]{4}-[0-9-]+[^a]*", text)
    assume(not (numeric and old in {"old", "[old]"}))
    value = [text] if old == "[old]" else text
    block = edit_frontmatter(f"---\nk: {old}\n---", {"k": value})[4:-3]
    for loader in (yaml.SafeLoader, yaml.CSafeLoader):
        assert yaml.load(block, Loader=loader) == {"k": value}  # noqa: S506 - both are safe
    for event in yaml.parse(block):
        if isinstance(event, yaml.ScalarEvent) and event.implicit[0]:
            assert not TYPED.fullmatch(event.value)


@given(NUMBERISH | WORDS)
def test_a_key_that_yaml_does_not_read_as_text_is_a_flaw(word: str) -> None:
    block = f"{word}: x\n"
    try:
        (key,) = yaml.safe_load(block)
    except (yaml.YAMLError, ValueError, TypeError):
        return
    assert isinstance(key, str) or parse_frontmatter(f"---\n{block}---\n").flaws


@given(BLOCKS, st.dictionaries(KEYS, VALUES, max_size=3), st.text("ab#-\n |", max_size=20))
def test_python_frontmatter_reads_the_same_keys_and_body(
    order: list[str], more: dict[str, str | list[str]], body: str
) -> None:
    fields = {key: value for key, value in more.items() if key not in ENTRIES}
    block = "".join(ENTRIES[name].before for name in order)
    text = f"---\n{block}{format_frontmatter(fields)}---\n{body}"
    post, parsed = frontmatter.loads(text), parse_frontmatter(text)
    assert list(post.keys()) == list(parsed.fields)
    assert post.content == parsed.body.strip()
