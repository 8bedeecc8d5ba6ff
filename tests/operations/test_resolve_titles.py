"""An atom can be named by its summary, its title or an alias, where only one has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from place import Place

FOLDER = "projects/flywheel/knowledge"


def _write(place: Place, ident: str, summary: str, **more: str) -> None:
    fields = "".join(f"{key}: {value}\n" for key, value in more.items())
    place.write(
        f"{FOLDER}/{ident}.md", f"---\nid: {ident}\nsummary: {summary}\n{fields}---\nSee.\n"
    )


@pytest.mark.parametrize("typed", ["Jürgen Müller", "jürgen  müller", "Glossary", "the words"])
def test_a_unique_summary_title_or_alias_names_its_atom(tree: Place, typed: str) -> None:
    _write(tree, "K-001", "Jürgen Müller")
    _write(tree, "K-002", "Words", title="Glossary", aliases="[The words, Terms]")
    ident = "K-001" if "ller" in typed else "K-002"
    assert f"id: {ident}\n" in tree.ok("show", typed)
    assert tree.ok("open", typed, "--print").strip().endswith(f"{ident}.md")


def test_several_atoms_with_a_title_are_ambiguous(tree: Place) -> None:
    _write(tree, "K-001", "Glossary")
    _write(tree, "K-002", "glossary")
    ran = tree.run("show", "Glossary")
    assert (ran.code, "is ambiguous" in ran.err) == (3, True)
    assert f"{FOLDER}/K-002.md" in ran.err
    assert "id: K-002\n" in tree.ok("show", f"{FOLDER}/K-002.md")


def test_an_id_is_never_a_title(tree: Place) -> None:
    _write(tree, "K-001", "K-002")
    assert tree.run("show", "K-002").code == 3
    assert tree.run("show", "no such title").code == 3
