"""A renamed name is written wherever it was meant, and means the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.catalog.name_store import NameStore
from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.renaming.name_meanings import (
    NameMeanings,
    Renaming,
    iter_names_after,
    iter_names_before,
)
from cortexfs.core.renaming.rewrite import RenameContext, rewrite_names
from cortexfs.errors import Refused

OLD, NEW = "projects/a/experiments/EXP-001.md", "projects/b/experiments/EXP-009.md"
KNOWN = {"a/EXP-001": OLD, "a/K-001": "projects/a/knowledge/K-001.md"}
KNOWN |= {"b/K-001": "projects/b/knowledge/K-001.md", "IDEA-001": "ideas/IDEA-001.md"}
ATOMS = [
    Atom(
        path,
        "x",
        Ref(ref),
        project=ref.rpartition("/")[0],
        fields={"summary": f"On {path[:10]} {ref[-5:]}"},
    )
    for ref, path in KNOWN.items()
]
RENAMING = Renaming({"a/EXP-001": "b/EXP-009"}, {OLD: NEW})
MEANINGS = RenameContext(
    RENAMING,
    NameMeanings(NameStore.collect(iter_names_before(ATOMS))),
    NameMeanings(NameStore.collect(iter_names_after(ATOMS, RENAMING, {OLD}))),
)
WORDS = ["EXP-001", "a/EXP-001", "K-001", "b/K-001", "a/K-001", "IDEA-001", "EXP-777", "text"]
WORDS += [
    "[[EXP-001]]",
    "[[K-001|x]]",
    "[[On projects/a K-001]]",
    "[x](K-001.md)",
    "[x](../experiments/)",
]
WORDS += ["[x](../../a/mission.md)", "EXP-001.md", "`EXP-001`"]
WORDS += [
    "\n```\nEXP-001 a/K-001\n```\n",
    "<!-- EXP-001 -->",
    "https://x.org/a/EXP-001",
    "[[",
    "](",
]
WIKI = re.compile(r"\[\[[^\[\]\n]*\]\]")
"""A wiki link has a rule of its own: any name that only one atom bears."""
PATHS = [OLD, "projects/a/knowledge/K-001.md", "projects/b/STATUS.md", "OVERVIEW.md"]


@given(st.lists(st.sampled_from(WORDS), max_size=8), st.sampled_from(PATHS))
def test_a_rewritten_text_cites_the_same_atoms(words: list[str], path: str) -> None:
    text = " ".join(words)
    try:
        changed = rewrite_names(text, path, MEANINGS)
    except Refused:  # a text is changed rightly, or not at all
        return
    refs_before, refs_after = (
        {*_resolve_citations(t, p, w)} for t, p, w in _both_sides(text, changed, path)
    )
    assert {RENAMING.new_ref(ref) for ref in refs_before} >= refs_after
    assert changed.count("\n") == text.count("\n")
    assert changed.count("```\nEXP-001 a/K-001\n```") == text.count("```\nEXP-001 a/K-001\n```")


def _both_sides(text: str, changed: str, path: str) -> list[tuple[str, str, set[str]]]:
    new = {RENAMING.new_ref(ref) for ref in KNOWN}
    return [(text, path, set(KNOWN)), (changed, RENAMING.new_path(path), new)]


def _resolve_citations(text: str, path: str, refs: set[str]) -> list[str]:
    """Resolve what a text cites, by the rule of the format: its project first, then the root."""
    project = path.split("/")[1] if path.startswith("projects/") else ""
    wanted = ((f"{project}/{cited}", cited) for cited, _ in find_cited_refs(WIKI.sub("", text)))
    return [ref for pair in wanted for ref in pair if ref in refs][:100]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("projects/a/STATUS.md", "EXP-001, a/EXP-001", "b/EXP-009, b/EXP-009"),
        ("projects/b/STATUS.md", "a/EXP-001", "b/EXP-009"),
        (OLD, "EXP-001 K-001 b/K-001", "EXP-009 a/K-001 b/K-001"),
        (OLD, "[x](../knowledge/K-001.md)", "[x](../../a/knowledge/K-001.md)"),
        (OLD, "[[K-001]] [[On projects/a P-001]]", "[[a/K-001]] [[On projects/a P-001]]"),
        ("projects/a/x.md", "[[EXP-001|x]] [[exp-001]]", "[[b/EXP-009|x]] [[b/EXP-009]]"),
        ("projects/c/x.md", "| [[EXP-001.md\\|x]] |", "| [[b/EXP-009.md\\|x]] |"),
        ("projects/b/x.md", "[[a/EXP-001]] [[EXP-001]]", "[[b/EXP-009]] [[EXP-009]]"),
        ("projects/a/x.md", "[[On projects/a P-001]]", "[[On projects/a P-001]]"),
        ("OVERVIEW.md", "[x](projects/a/experiments/EXP-001.md)", f"[x]({NEW})"),
        ("projects/a/x.md", "[x](<experiments/EXP-001.md>)", "[x](<../b/experiments/EXP-009.md>)"),
        ("projects/a/x.md", "see experiments/EXP-001.md:7", f"see {NEW}:7"),
        ("projects/a/x.md", "EXP-001.md", NEW),
        ("projects/a/x.md", "1EXP-001 EXP-0011 x/y/EXP-001", "1EXP-001 EXP-0011 x/y/EXP-001"),
    ],
)
def test_each_form_of_a_name_is_rewritten(path: str, text: str, expected: str) -> None:
    assert rewrite_names(text, path, MEANINGS) == expected


def test_a_rename_that_would_change_the_meaning_of_another_ref_is_refused() -> None:
    with pytest.raises(Refused, match="something else"):
        rewrite_names("EXP-009 and a/EXP-001", "projects/b/STATUS.md", MEANINGS)
