"""A tag is renamed where it stands; every other byte stays."""

from __future__ import annotations

import frontmatter
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.frontmatter.rename_tag import rename_tag, require_valid_tag
from cortexfs.errors import Refused

HEAD = "---\nid: EXP-001\nsummary: 'old, old'\n"
TAIL = "status: valid  # old\n---\n\ntags: [old]\n"


@pytest.mark.parametrize(
    ("tags", "after"),
    [
        ("tags: [old]\n", "tags: [new]\n"),
        ("tags: [ a,old , b ]  # old\n", "tags: [ a,new , b ]  # old\n"),
        ("tags: ['old', \"old\", oldest]\n", "tags: ['new', \"new\", oldest]\n"),
        ("tags:\n  - a\n  # old\n  - old  # y\n", "tags:\n  - a\n  # old\n  - new  # y\n"),
        ("tags:\n- old\n- a\n", "tags:\n- new\n- a\n"),
        ("tags: a, old\n", "tags: a, new\n"),
        ("tags: old\n", "tags: new\n"),
        ("tags: [a,\n  old,\n  b]\n", "tags: [a,\n  new,\n  b]\n"),
        ("tags: [old-school, a]\n", "tags: [old-school, a]\n"),
        ("tags : [old]\n", "tags : [new]\n"),
    ],
)  # fmt: skip
def test_only_the_renamed_tag_changes(tags: str, after: str) -> None:
    assert rename_tag(HEAD + tags + TAIL, "old", "new") == HEAD + after + TAIL


@pytest.mark.parametrize(
    ("tags", "after"),
    [
        ("tags: [old, new]\n", "tags: [new]\n"),
        ("tags: [new, old]  # x\n", "tags: [new]  # x\n"),
        ("tags: [a, old, new]\n", "tags: [a, new]\n"),
        ("tags:\n  - new\n  - old\n  - b\n", "tags:\n  - new\n  - b\n"),
        ("tags: new, old\n", "tags: new\n"),
    ],
)
def test_an_atom_with_both_tags_keeps_the_new_one(tags: str, after: str) -> None:
    assert rename_tag(HEAD + tags + TAIL, "old", "new") == HEAD + after + TAIL


def test_line_endings_stay() -> None:
    text = (HEAD + "tags: [a, old]\n" + TAIL).replace("\n", "\r\n")
    assert rename_tag(text, "old", "new") == text.replace("[a, old]", "[a, new]")


CHARACTERS = st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters=",")
TAG = st.text(CHARACTERS, min_size=1, max_size=9)


@given(st.lists(TAG, min_size=1, max_size=5, unique=True), TAG, st.sampled_from(["flow", "block"]))
def test_python_frontmatter_reads_the_new_tag(tags: list[str], new: str, style: str) -> None:
    quoted = ["'" + tag.replace("'", "''") + "'" for tag in tags]
    block = f"[{', '.join(quoted)}]" if style == "flow" else "".join(f"\n- {q}" for q in quoted)
    text = f"---\nid: x\ntags: {block}\nsummary: y\n---\nbody\n"
    if new in tags:
        expected = [tag for tag in tags if tag != tags[0] or tag == new]
    else:
        expected = [new, *tags[1:]]
    post = frontmatter.loads(rename_tag(text, tags[0], new))
    assert post.metadata == {"id": "x", "tags": expected, "summary": "y"}
    assert post.content == "body"


@pytest.mark.parametrize("tag", ["", " ", "a,b", "a\nb", " a", "x" * 101, "a\x1b[31m"])
def test_a_text_that_is_not_one_tag_is_refused(tag: str) -> None:
    with pytest.raises(Refused):
        require_valid_tag(tag)
