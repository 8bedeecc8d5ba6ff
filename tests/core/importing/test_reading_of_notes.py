"""A foreign frontmatter is kept byte for byte where it can be read, and as text where not."""

from __future__ import annotations

import frontmatter
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.importing.atom_fields import (
    build_atom_fields,
    render_merged_frontmatter,
)
from cortexfs.core.importing.foreign_note import parse_note
from cortexfs.core.importing.note_folder import NoteFile
from cortexfs.core.importing.note_frontmatter import split_note
from cortexfs.core.importing.rewrite_links import ImportTarget

TARGET = ImportTarget("K-001", "p", "projects/p/knowledge/K-001.md")


def import_frontmatter(text: str, kind: str = "knowledge") -> str:
    note_kind = Kinds().find_by_name(kind)
    assert note_kind
    note = parse_note(NoteFile("a/note.md", text, "2026-01-01"), "0")
    block = render_merged_frontmatter(
        note, note_kind, build_atom_fields(note, note_kind, TARGET, "vault/a/note.md", ())
    )
    assert block is not None
    return block.text


def import_kept_fields(text: str, kind: str = "knowledge") -> str:
    """Give what of a note's own frontmatter is kept, below ours."""
    block = import_frontmatter(text, kind)
    return block[block.rindex("evidence: [vault/a/note.md]\n") + 28 :]


@pytest.mark.parametrize(
    "kept",
    [
        "# first\nrating: 5   # of ten\n\n# second\nz: [b,   a ,c]\n",
        "n: 010\nv: 1.10\nyes_no: no\nempty:\nnull: ~\n".replace("null", "nothing"),
        "when: 2001-12-14t21:59:43.10-05:00\nq: 'It''s'\nu: \"\\u00e9\"\n",
        "block: |\n  text\n\n    more\nfolded: >-\n  a\n  b\nlast: 1\n",
        "m:\n    deep:\n        k: v\nl:\n- a\n-   b # c\n",
        "title: A note\naliases: [x]\ncssclass: wide\n",
    ],
)
def test_unknown_fields_stay_byte_for_byte(kept: str) -> None:
    assert import_kept_fields(f"---\n{kept}---\n# A note\n") == kept


def test_a_field_reviewed_of_a_note_is_no_review_of_ours() -> None:
    assert import_kept_fields("---\nreviewed: true\n---\n") == "source-reviewed: true\n"


def test_comments_of_removed_fields_stay() -> None:
    tags = "tags:\n  # inner\n  - a # one\n  # below\n"
    text = f"---\n# top\n{tags}x: 1\nid: 7 # mine\ndate: 2026-01-02 # d\n---\n"
    assert (
        import_kept_fields(text)
        == "# top\n# inner\n# one\n# below\nx: 1\nsource-id: 7 # mine\n# d\n"
    )


@pytest.mark.parametrize("key", ["id", "project", "type", "refs", "links", "evidence", "last-ref"])
def test_a_field_with_another_meaning_here_is_renamed(key: str) -> None:
    assert import_kept_fields(f"---\n{key}: 12\nsource-{key}: mine\n---\n") == (
        f"source-{key}-2: 12\nsource-{key}: mine\n"
    )


def test_an_observation_keeps_the_type_of_the_note() -> None:
    assert "type: daily\n" in import_frontmatter("---\ntype: daily\n---\n", "observation")
    assert "type: note\n" in import_frontmatter("---\nx: 1\n---\n", "observation")


@pytest.mark.parametrize(
    ("text", "expected_line"),
    [
        ("---\n{title: Flow, v: 1.10, d: 2026-01-02, y_n: no}\n---\n", "v: '1.10'\n"),
        ("---\n  # c\n  title: Flow\n  l:\n    - b\n---\n", "l:\n- b\n"),
    ],
)
def test_flow_or_indented_yaml_is_written_as_lines(text: str, expected_line: str) -> None:
    assert expected_line in import_kept_fields(text)
    assert "title: Flow\n" in import_kept_fields(text)


@pytest.mark.parametrize(
    ("text", "code", "body"),
    [
        ("---\ntitle: never closed\n", "unclosed-frontmatter", "---\ntitle: never closed\n"),
        ("---\njust words\n---\n", "not-a-mapping", "---\njust words\n---\n"),
        ("---\n- a\n- b\n---\n", "not-a-mapping", "---\n- a\n- b\n---\n"),
        ("---\n1: x\n---\nB", "non-text-key", "```yaml\n1: x\n```\n\nB"),
        ("---\na: &x 1\nb: *x\n---\nB", "yaml-feature", "```yaml\na: &x 1\nb: *x\n```\n\nB"),
        ("---\n<<: {a: 1}\n---\nB", "yaml-feature", "```yaml\n<<: {a: 1}\n```\n\nB"),
        ("---\na: b: c\n---\nB", "bad-yaml", "```yaml\na: b: c\n```\n\nB"),
        ("---\na: 1\na: 2\n---\nB", "duplicate-key", "```yaml\na: 1\na: 2\n```\n\nB"),
        (
            "---\na: !!python/name:os\n---\n",
            "yaml-feature",
            "```yaml\na: !!python/name:os\n```\n\n",
        ),
        ("---\na: '```'\nb: \t:\n---\n", "bad-yaml", "````yaml\na: '```'\nb: \t:\n````\n\n"),
    ],
)
def test_unreadable_frontmatter_becomes_text(text: str, code: str, body: str) -> None:
    parts = split_note(text)
    assert parts.flaw
    assert (parts.flaw.code, parts.body, parts.entries) == (code, body, ())


def test_deep_yaml_never_reaches_a_parser() -> None:
    """libyaml overflows the stack at some ten thousand levels: the process would be gone."""
    parts = split_note(f"---\na: {'[' * 30_000}\n---\ntext\n")
    assert parts.flaw
    assert parts.flaw.code == "frontmatter-too-deep"


def test_an_impossible_date_stays_text() -> None:
    assert split_note("---\ndate: 2026-13-45\n---\n").typed_values == {"date": "2026-13-45"}


KEYS = st.sampled_from(["id", "tags", "title", "date", "x", "type", "status", "Long key", "é"])
VALUES = st.sampled_from(
    [
        "1",
        "'q'",
        '"d \\u00e9"',
        "[a, b]",
        "{k: v}",
        "plain # c",
        "|\n  b\n\n  b",
        "",
        "~",
        "\n- i # c",
    ]
)


@given(st.dictionaries(KEYS, VALUES, max_size=6), st.text("# \nab", max_size=6))
def test_every_value_of_a_note_is_kept(values: dict[str, str], body_after: str) -> None:
    text = (
        "---\n"
        + "".join(f"{key}: {value}\n" for key, value in values.items())
        + "---\n"
        + body_after
    )
    before = atom_text.parse_frontmatter(text)
    if before.flaws:
        return
    after = atom_text.parse_frontmatter(f"---\n{import_frontmatter(text)}---\n").fields
    for key, value in before.fields.items():
        assert value in (after.get(key), after.get(f"source-{key}")) or key == "tags"
    assert frontmatter.loads(f"---\n{import_frontmatter(text)}---\n").metadata["id"] == "K-001"
