"""What a new atom, project or tree is made of."""

from __future__ import annotations

import frontmatter
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.create_atom import (
    GITATTRIBUTES_LINES,
    AtomDraft,
    MissingFields,
    add_missing_lines,
    plan_new_atom,
)
from cortexfs.core.atoms.kind import Kind
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.errors import Refused

EXPERIMENT, KNOWLEDGE = (Kinds().find_by_name(name) for name in ("experiment", "knowledge"))
YAML = frontmatter.YAMLHandler()
lines = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp", "Cf", "Co", "Cn"]), max_size=60
)


def _draft(summary: str = "s", **fields: object) -> AtomDraft:
    body = fields.pop("body", None)
    tags = fields.pop("tags", ("a",))
    return AtomDraft(
        kind=EXPERIMENT, project="p", summary=summary, tags=tags, fields=fields, body=body
    )


@given(
    lines,
    st.lists(lines.map(str.strip).filter(bool), max_size=4).map(tuple),
    lines.map(str.strip),
    st.text(),
)
def test_a_new_atom_parses_back_to_its_draft(
    summary: str, tags: tuple[str, ...], executor: str, body: str
) -> None:
    one_line = " ".join(summary.split())
    if not one_line:
        return
    draft = _draft(summary, tags=tags, executor=executor, body=body)
    ident, write = plan_new_atom(draft, [], "2026-05-06", "")
    block, _rest = YAML.split(write.text)
    fields = yaml.load(block, Loader=yaml.BaseLoader)  # noqa: S506 - it makes nothing but texts
    expected_tags = ("anti-pattern", *tags) if one_line.startswith("ANTI-PATTERN:") else tags
    assert fields == {
        "id": ident,
        "date": "2026-05-06",
        "project": "p",
        "summary": one_line,
        "tags": list(expected_tags),
        "executor": executor,
    }
    assert write.text.endswith(f"---\n{body}")
    assert (write.path, write.expected_text) == ("projects/p/experiments/EXP-001.md", None)


def test_placeholders_in_inserted_text_are_not_filled_in() -> None:
    _, write = plan_new_atom(
        _draft("{{id}} {{date}}"), ["EXP-007.md"], "2026-05-06", "# {{id}}: {{summary}}"
    )
    assert write.text.endswith("# EXP-008: {{id}} {{date}}")


def test_missing_fields_are_listed_with_their_options() -> None:
    draft = AtomDraft(kind=KNOWLEDGE, project="p", summary="", fields={})
    with pytest.raises(MissingFields) as refused:
        plan_new_atom(draft, [], "2026-05-06", "")
    assert str(refused.value) == "a new knowledge atom needs the fields `summary` and `evidence`"
    assert refused.value.missing == ("summary", "evidence")
    evidence = "--evidence … (such as EXP-001, a URL, a file, a commit or a citation)"
    assert refused.value.hint == f"add --summary … {evidence}"


def test_a_missing_field_without_an_option_is_suggested_with_set() -> None:
    kind = Kind("memo", "memos", "MEM", required_fields=("source", "date", "summary", "links"))
    with pytest.raises(MissingFields) as refused:
        plan_new_atom(
            AtomDraft(kind=kind, project="p", summary=" ", fields={}), [], "2026-05-06", ""
        )
    assert refused.value.hint == "add --summary … --set source=… --link …"


@pytest.mark.parametrize(
    "key", ["id", "project", "", "1st", "a b", "a:b", "a\nb", "-x", "ключ", "x" * 65]
)
def test_a_field_with_a_reserved_or_invalid_name_is_refused(key: str) -> None:
    with pytest.raises(Refused):
        plan_new_atom(_draft(**{key: "x"}), [], "2026-05-06", "")


@pytest.mark.parametrize("key", ["summary", "tags"])
def test_a_draft_with_summary_or_tags_among_its_fields_is_refused(key: str) -> None:
    draft = AtomDraft(kind=EXPERIMENT, project="p", summary="s", fields={key: "x"})
    with pytest.raises(Refused, match=key):
        plan_new_atom(draft, [], "2026-05-06", "")


@given(st.text().filter(lambda text: "\r" not in text))
def test_lines_are_added_to_gitattributes_once(text: str) -> None:
    once = add_missing_lines(text, GITATTRIBUTES_LINES)
    assert once.startswith(text)
    assert set(GITATTRIBUTES_LINES.splitlines()) <= {line.strip() for line in once.splitlines()}
    assert add_missing_lines(once, GITATTRIBUTES_LINES) == once
