from __future__ import annotations

import subprocess
import sys

import pytest

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.frontmatter.atom_text import (
    MAX_BYTES,
    FrontmatterParts,
    edit_frontmatter,
    format_frontmatter,
    parse_frontmatter,
    split_frontmatter,
)
from cortexfs.errors import Refused

ATOM = """\
---
id: EXP-042   # the first of three
date: 2026-03-09
summary: "Twice the batch, the same speed: memory-bound"
tags: [gpu, batching]
refs: 4
last-ref: "2026-04-02T03:12:21.074Z"
---
# Background

---
A rule above, no fence.
"""


def fenced(block: str) -> str:
    return f"---\n{block}---\nBody.\n"


def edit_block(block: str, **changes: str | list[str] | None) -> str:
    """The block after an edit; `last_ref` stands for the key `last-ref`."""
    values = {key.replace("_", "-"): value for key, value in changes.items()}
    parts = split_frontmatter(edit_frontmatter(fenced(block), values))
    assert isinstance(parts, FrontmatterParts)
    assert parts.tail == "---\nBody.\n"
    return parts.block


def test_a_text_is_split_at_its_fences() -> None:
    assert split_frontmatter("---  \nid: x\n---\t\nBody\n") == FrontmatterParts(
        "---  \n", "id: x\n", "---\t\nBody\n"
    )


@pytest.mark.parametrize("end", ["---", "---\r\n", "--- \t\r\n\r\nBody", "---\r"])
def test_the_closing_fence_may_end_the_file(end: str) -> None:
    text = f"\ufeff---\r\nid: x\r\n{end}"
    assert split_frontmatter(text) == FrontmatterParts("\ufeff---\r\n", "id: x\r\n", end)
    assert parse_frontmatter(text).fields == {"id": "x"}


def test_an_indented_fence_is_part_of_the_value() -> None:
    parsed = parse_frontmatter("---\na: |\n  x\n  ---\n  y\nb: z\n---\n")
    assert parsed.fields == {"a": "x\n---\ny\n", "b": "z"}


def test_an_empty_frontmatter_is_not_a_flaw() -> None:
    assert parse_frontmatter("---\n---\nBody") == parse_frontmatter("---\n# nothing yet\n---\nBody")
    assert parse_frontmatter("---\n---\nBody").body == "Body"


def test_every_scalar_is_read_as_the_text_that_was_typed() -> None:
    block = "a: no\nb: 010\nc: 1.10\nd: 12:30\ne: 2026-03-09\nf: 0x1F\ng: True\nh: 1_000\n"
    assert (
        "".join(f"{key}: {text}\n" for key, text in parse_frontmatter(fenced(block)).fields.items())
        == block
    )


def test_an_empty_value_is_the_empty_text() -> None:
    block = "a:\nb: ~\nc: null\nd: ''\ne: [~, x]\nf: {g: }\nh: '~'\n"
    empty = dict.fromkeys("abcd", "")
    assert parse_frontmatter(fenced(block)).fields == {
        **empty,
        "e": ("", "x"),
        "f": {"g": ""},
        "h": "~",
    }


def test_nested_values_are_read() -> None:
    block = "a:\n- x\n- b: [1, {c: d}]\n  e: >-\n    one\n    two\n"
    assert parse_frontmatter(fenced(block)).fields == {
        "a": ("x", {"b": ("1", {"c": "d"}), "e": "one two"})
    }


def test_lines_of_fields_are_line_numbers_of_the_file() -> None:
    parsed = parse_frontmatter("---\n# note\na: 1\nb: 'x\u2028y'\n\n\n\nc:\n  d: e\n---\n")
    assert parsed.lines == {"a": 3, "b": 4, "c": 8}


def test_crlf_and_bom_are_read_and_reported_once() -> None:
    parsed = parse_frontmatter("\ufeff---\r\na: |\r\n  b\r\n---\r\nBody\r\n")
    assert parsed.fields == {"a": "b\n"}
    assert parsed.body == "Body\r\n"
    assert [flaw.code for flaw in parsed.flaws] == ["bom", "crlf"]
    assert parse_frontmatter("---\na: b\n---\nx\ny\r\n").flaws == (
        Flaw("crlf", "lines end in CR LF", 5),
    )


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("k: old\n", "new", "k: new\n"),
        ("k: old\n", "no", 'k: "no"\n'),
        ("k: old\n", "a: b", 'k: "a: b"\n'),
        ("k: 4\n", "5", "k: 5\n"),
        ("k: 2026-03-09\n", "2026-03-10", "k: 2026-03-10\n"),
        ("k: 1.10\n", "1.11", 'k: "1.11"\n'),
        ("k: old\n", "", 'k: ""\n'),
        ('k: "old"\n', "5", 'k: "5"\n'),
        ('k: "old"\n', 'a "b"\n', 'k: "a \\"b\\"\\n"\n'),
        ("k: 'old'\n", "it's", "k: 'it''s'\n"),
        ("k: 'old'\n", "a\nb", 'k: "a\\nb"\n'),
        ("k   :   old   \n", "new", "k   :   new   \n"),
        ("k:\n", "new", "k: new\n"),
        ("k:  # note\n", "new", "k: new  # note\n"),
        ("k:\n", "2026-04-02T03:12:21Z", 'k: "2026-04-02T03:12:21Z"\n'),
        ("k: ~ # note\n", "5", "k: 5 # note\n"),
        ("k: [a,\n  b] # note\n", "new", "k: new # note\n"),
        ("k: [a]\n", ["a", "b, c"], 'k: [a, "b, c"]\n'),
        ("k: old\n", [], "k: []\n"),
        ("k: # note\n  # inside\n  - a\n  - b\n# after\n", ["c"], "k: [c] # note\n# after\n"),
        ("k:\n- |\n  a\n\n# after\n", "new", "k: new\n\n# after\n"),
        ("k: |-2 # note\n   a\n\n   b\n\n", "new", "k: new # note\n\n"),
        ("k:\n  one\n  two  # note\n", "new", "k:\n  new  # note\n"),
        ("k:\n  a: b\n  c: {d: e}\n", "new", "k: new\n"),
        ("k: {a: b}\n", "new", "k: new\n"),
        ("k: one\n  two\n", "new", "k: new\n"),
    ],
)
def test_an_edit_changes_only_the_value(before: str, value: str | list[str], after: str) -> None:
    assert edit_block(f"a: x\n{before}z: y\n", k=value) == f"a: x\n{after}z: y\n"


def test_an_edit_keeps_tabs_beside_a_value() -> None:
    assert edit_block("k:\told\t# note\n", k="new") == "k:\tnew\t# note\n"


def test_setting_the_same_value_changes_nothing() -> None:
    block = "tags:\n- a\n- b\nsummary: >-\n  one\n  two\n"
    assert edit_block(block, tags=["a", "b"], summary="one two") == block


def test_a_new_key_becomes_the_last_line() -> None:
    assert edit_block("a: |\n  x\n# end\n", refs="5") == "a: |\n  x\n# end\nrefs: 5\n"
    assert edit_block("", last_ref="2026-04-02") == 'last-ref: "2026-04-02"\n'
    assert edit_block("  a: x\n", b="z") == "  a: x\n  b: z\n"


def test_a_new_key_has_the_line_ending_of_the_file() -> None:
    text = "\ufeff---\r\na: x\r\n---"
    assert edit_frontmatter(text, {"b": "z"}) == "\ufeff---\r\na: x\r\nb: z\r\n---"
    assert edit_frontmatter("---\r\n---\r\n", {"b": "z"}) == "---\r\nb: z\r\n---\r\n"


def test_none_removes_the_lines_of_an_entry() -> None:
    block = "a: x\n# about b\nb: # note\n- y\n- z\n# about c\nc: |\n  y\n\nd: x\n"
    assert edit_block(block, b=None) == "a: x\n# about b\n# about c\nc: |\n  y\n\nd: x\n"
    assert edit_block(block, c=None, q=None) == block.replace("c: |\n  y\n\n", "")
    assert edit_block("a: x\n", a=None) == ""


def test_lines_below_a_removed_entry_do_not_join_the_entry_above() -> None:
    block = "a: |+\n  x\nb: y\n\n  # deep\n\nc: z\n"
    assert edit_block(block, b=None) == "a: |+\n  x\nc: z\n"


def test_several_changes_are_made_at_once() -> None:
    block = "a: |\n  x\nb: y\nc: z\n"
    assert edit_block(block, c=None, a="1", d=["2"], b=None) == 'a: 1\nd: ["2"]\n'


@pytest.mark.parametrize(
    ("block", "value"),
    [
        ("{a: x}\n", "y"),
        ("{\n a: x}\n", "y"),
        ("a: x\n", "x" * MAX_BYTES),
        ("a: x\n", "\udc80"),
        ("a:\r- x\rb: y\n", "z"),
    ],
)
def test_an_edit_that_would_break_the_frontmatter_is_refused(block: str, value: str) -> None:
    with pytest.raises(Refused):
        edit_frontmatter(fenced(block), {"a": value})


def test_an_empty_edit_does_not_parse_the_text() -> None:
    assert edit_frontmatter("no frontmatter", {}) == "no frontmatter"


def test_updating_read_counts_changes_nothing_else() -> None:
    after = ATOM.replace("refs: 4", "refs: 5").replace("04-02T", "05-06T")
    assert edit_frontmatter(ATOM, {"refs": "5", "last-ref": "2026-05-06T03:12:21.074Z"}) == after


def test_new_frontmatter_is_quoted_only_where_needed() -> None:
    fields = {
        "id": "EXP-042",
        "date": "2026-03-09",
        "project": "flywheel",
        "summary": "Twice the batch",
        "tags": ["gpu", "no", "a, b", ""],
        "links": [],
        "status": "invalidated: EXP-009",
        "version": "1.10",
        "time": "12:30",
        "octal": "010",
        "word": "no",
        "note": "# x",
        "list": "- x",
        "blank": " x",
        "bell": "\x07",
        "turned": "a\u202eb",
        "smuggled": ("\U000e0041",),
        "face": "so 😀",
        "since": "2026-03-09",
        "refs": "4",
    }
    assert format_frontmatter(fields).splitlines() == [
        "id: EXP-042",
        "date: 2026-03-09",
        "project: flywheel",
        'summary: "Twice the batch"',
        'tags: [gpu, "no", "a, b", ""]',
        "links: []",
        'status: "invalidated: EXP-009"',
        'version: "1.10"',
        'time: "12:30"',
        'octal: "010"',
        'word: "no"',
        'note: "# x"',
        'list: "- x"',
        'blank: " x"',
        'bell: "\\u0007"',
        'turned: "a\\u202eb"',
        'smuggled: ["\\U000e0041"]',
        "face: so 😀",
        'since: "2026-03-09"',
        "refs: 4",
    ]


def test_importing_atom_text_does_not_import_yaml() -> None:
    program = "import sys, cortexfs.core.frontmatter.atom_text; sys.exit('yaml' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
