"""What the plain reader accepts, the YAML parser reads the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.frontmatter import atom_text, fast_frontmatter, safe_yaml

SAMPLE = Path(__file__).parents[3] / "sample-context"
ALPHABET = "aZ0 -_.:,;#'\"[]{}()&*!|>%@`\\/+=~?<^$éß漢\t\r\u2028\x85\ufeff\u200d"
keys = st.sampled_from(["id", "tags", "no", "Y", "a-b", "x1", "null", "k_", "ID", "0a", "status"])
words = st.text(ALPHABET, max_size=12)
values = st.one_of(
    words,
    words.map(lambda word: f'"{word}"'),
    words.map(lambda word: f"'{word}'"),
    st.lists(words, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
    st.sampled_from(
        ["12:30", "2026-03-09", "010", "no", "a: b", "a #b", "x:", "[]", "[a, ]", "- a"]
    ),
)
entries = st.tuples(keys, st.sampled_from([": ", ":", ":  ", " : "]), values).map("".join)
blocks = st.lists(entries, max_size=5).map(lambda lines: "".join(f"{line}\n" for line in lines))


@settings(max_examples=10 * settings().max_examples)
@given(blocks)
@example("a: superseded:EXP-001\n")
@example("a: [x -y, b/c]\n")
@example('a: "# no comment: here"\nb:\n')
def test_accepted_frontmatter_reads_the_same_in_the_yaml_parser(block: str) -> None:
    fast = fast_frontmatter.parse_fast_frontmatter(block)
    if fast is None:
        return
    entries_of_yaml = safe_yaml.parse_safe_yaml(block)
    assert not isinstance(entries_of_yaml, Flaw)
    assert fast.fields == {entry.key: entry.value for entry in entries_of_yaml}
    lines = {entry.key: block.count("\n", 0, entry.key_start) + 2 for entry in entries_of_yaml}
    assert fast.lines == lines


@pytest.mark.parametrize(
    "block", ["a: b\n c\n", "a: &x b\n", "a: b\na: c\n", "no: x\n", "a: |\n b\n"]
)
def test_other_frontmatter_is_left_to_the_yaml_parser(block: str) -> None:
    assert fast_frontmatter.parse_fast_frontmatter(block) is None


def test_most_of_the_sample_needs_no_yaml_parser() -> None:
    texts = [path.read_text() for path in SAMPLE.glob("projects/[dl]*/*/[A-Z]*-*.md")]
    blocks = [
        parts.block
        for text in texts
        if not isinstance(parts := atom_text.split_frontmatter(text), Flaw)
    ]
    accepted = sum(fast_frontmatter.parse_fast_frontmatter(block) is not None for block in blocks)
    assert accepted > 0.9 * len(blocks) > 30
