"""Adding a link writes the link, and leaves every other byte as its author wrote it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.add_to_links_field import add_link

HEAD = "---\nid: EXP-002\n"
TAIL = "tags: [a, b]\n---\n\nlinks: [EXP-777]\n- EXP-888\n"
LISTS = {
    "on one line": (
        "links: [EXP-001,   K-002 ]  # why\n",
        "links: [EXP-001,   K-002, NEW ]  # why\n",
    ),
    "a line each": (
        "links:\n  # the old ones\n  - EXP-001  # first\n  - K-002\n# about tags\n",
        "links:\n  # the old ones\n  - EXP-001  # first\n  - K-002\n  - NEW\n# about tags\n",
    ),
    "without indent": ("links:\n- EXP-001\n", "links:\n- EXP-001\n- NEW\n"),
    "with CR LF": ("links:\r\n  - EXP-001\r\n", "links:\r\n  - EXP-001\r\n  - NEW\r\n"),
    "empty": ("links: []\n", "links: [NEW]\n"),
    "nothing": ("links:\n", "links: [NEW]\n"),
    "words": ("links: EXP-001, K-002\n", "links: [EXP-001, K-002, NEW]\n"),
    "quoted": ("links: ['EXP-001', \"K-002\"]\n", "links: [EXP-001, K-002, NEW]\n"),
    "over lines": ("links: [EXP-001,\n  K-002]\n", "links: [EXP-001, K-002, NEW]\n"),
}


@pytest.mark.parametrize("form", LISTS)
def test_adding_a_link_adds_one_item_in_the_style_of_the_list(form: str) -> None:
    before, after = (part.replace("NEW", "EXP-012") for part in LISTS[form])
    assert add_link(f"{HEAD}{before}{TAIL}", "EXP-012") == f"{HEAD}{after}{TAIL}"


def test_an_atom_without_links_gets_the_field() -> None:
    assert add_link(f"{HEAD}{TAIL}", "p/EXP-012") == (
        f"{HEAD}{TAIL}".replace("b]\n---", "b]\nlinks: [p/EXP-012]\n---")
    )


refs = st.sampled_from(["EXP-001", "K-002", "other/PAT-003", "EXP-012a"])
shapes = st.sampled_from(["links: [{}]", "links: [ {} ]", "links:\n  - {}", "links:\n- {}"])


@given(st.lists(refs, min_size=1, unique=True), shapes, refs, st.sampled_from(["", "# last\n"]))
def test_a_link_is_added_once_and_no_other_field_changes(
    present: list[str], shape: str, ref: str, after: str
) -> None:
    separator = shape.partition("{}")[0][6:] if "- " in shape else ", "
    text = f"{HEAD}{shape.format(separator.join(present))}\n{after}{TAIL}"
    linked = add_link(text, ref)
    fields = atom_text.parse_frontmatter(linked).fields
    assert split_string_list(fields["links"]) == tuple(dict.fromkeys([*present, ref]))
    assert {**fields, "links": None} == {**atom_text.parse_frontmatter(text).fields, "links": None}
    assert linked.endswith(f"{after}{TAIL}")
    assert add_link(linked, ref) == linked
