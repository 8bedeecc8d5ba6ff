"""Links between notes become links between atoms; all others stay as they are."""

from __future__ import annotations

import pytest
from cost import cost_of

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.find.extract_links import WIKI_LINK, extract_links
from cortexfs.core.importing.foreign_note import parse_note
from cortexfs.core.importing.note_folder import NoteFile
from cortexfs.core.importing.note_lookup import NoteLookup
from cortexfs.core.importing.rewrite_links import (
    ImportTarget,
    LinkContext,
    make_line_locator,
    rewrite_links,
)

NOTES = {
    "Home.md": "x",
    "Alice Smith.md": "---\naliases: [Ali, A. Smith]\n---\n",
    "a/Same.md": "x",
    "b/Same.md": "x",
    "b/deep/Größe.md": "---\ntitle: Über Größen\n---\n",
    "zk/dra3-book-review.md": "---\nid: dra3\npermalink: books/review\n---\n",
    "ideas/Wish.md": "x",
}
TARGETS = NoteLookup.from_notes(
    [parse_note(NoteFile(path, text, "2026-01-01"), "0") for path, text in NOTES.items()]
)
KNOWLEDGE = "projects/p/knowledge"
ATOMS = {
    path: ImportTarget(f"K-{at:03d}", "p", f"{KNOWLEDGE}/K-{at:03d}.md")
    for at, path in enumerate(NOTES, 1)
} | {"ideas/Wish.md": ImportTarget("IDEA-001", "", "ideas/IDEA-001.md")}


def rewrite(body: str, note: str = "Home.md") -> str:
    context = LinkContext(note, f"{KNOWLEDGE}/K-001.md", "p")
    return rewrite_links(body, context, TARGETS, ATOMS).body


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[Alice Smith]]", "[[K-002|Alice Smith]]"),
        ("[[alice smith|her]]", "[[K-002|her]]"),
        ("[[Ali]] [[A. Smith]]", "[[K-002|Ali]] [[K-002|A. Smith]]"),
        ("[[Alice Smith#Work]]", "[[K-002#Work|Alice Smith#Work]]"),
        ("[[Alice Smith#^block|b]]", "[[K-002#^block|b]]"),
        ("![[Alice Smith]]", "![[K-002|Alice Smith]]"),
        ("[[b/Same]]", "[[K-004|b/Same]]"),
        ("[[deep/Größe]]", "[[K-005|deep/Größe]]"),
        ("[[Gro\u0308ße.md]]", "[[K-005|Gro\u0308ße.md]]"),
        ("[[Über Größen]]", "[[K-005|Über Größen]]"),
        ("[[dra3]] [[books/review]]", "[[K-006|dra3]] [[K-006|books/review]]"),
        ("[r](memory://books/review)", "[r](K-006.md)"),
        ("[[Wish]]", "[[IDEA-001|Wish]]"),
        ("| [[Alice Smith\\|A]] | [[Ali]] |", "| [[K-002\\|A]] | [[K-002\\|Ali]] |"),
        ("[her](Alice%20Smith.md)", "[her](K-002.md)"),
        ("[her](<Alice Smith.md> 'title')", "[her](K-002.md)"),
        ("[w](b/deep/Größe.md#sec)", "[w](K-005.md#sec)"),
        ("[w](zk/dra3-book-review)", "[w](K-006.md)"),
        ("[w](ideas/Wish.md)", "[[IDEA-001|w]]"),
        ("[w]: b/Same.md#x", "[w]: K-004.md#x"),
        ("[w]: ideas/Wish.md", "[w]: ../../../ideas/IDEA-001.md"),
    ],
)
def test_a_link_to_a_note_leads_to_its_atom_with_the_same_label(before: str, after: str) -> None:
    assert rewrite(f"{before} it") == f"{after} it"


@pytest.mark.parametrize(
    "text",
    [
        "`[[Alice Smith]]`",
        "```\n[[Alice Smith]]\n```",
        "<!-- [[Alice Smith]] -->",
        "[[#below]]",
        "[[Nobody]]",
        "![[photo.png]]",
        "[x](https://example.org/Home.md)",
        "[x](mailto:home@example.org)",
        "[x](../Home.md)",
        "![x](Home.md)",
        "[x](gone.md)",
        "[]()[[]]",
    ],
)
def test_other_links_do_not_change(text: str) -> None:
    assert rewrite(text) == text


def test_of_two_notes_with_one_name_the_nearer_is_linked() -> None:
    assert rewrite("[[Same]]", "b/x.md") == "[[K-004|Same]]"
    assert rewrite("[[Same]]", "a/x.md") == "[[K-003|Same]]"
    assert rewrite("[[Same]]", "x.md") == "[[K-003|Same]]"
    assert rewrite("[s](../Home.md) [t](Same.md)", "b/x.md") == "[s](K-001.md) [t](K-004.md)"


def test_links_to_missing_notes_are_reported_with_their_lines() -> None:
    body = "one [[Nobody]]\n\n[x](gone.md) [[photo.png]]\n"
    found = rewrite_links(body, LinkContext("Home.md", "", "p"), TARGETS, ATOMS)
    line = make_line_locator(body, 5)
    assert [(line(at), label) for at, label in found.unresolved] == [(5, "Nobody"), (7, "gone.md")]


def test_a_link_to_another_project_has_a_full_ref() -> None:
    atoms = ATOMS | {
        "Alice Smith.md": ImportTarget("K-009", "other", "projects/other/knowledge/K-009.md")
    }
    context = LinkContext("Home.md", f"{KNOWLEDGE}/K-001.md", "p")
    body = rewrite_links("[[Ali]] [a](Alice%20Smith.md)", context, TARGETS, atoms).body
    assert body == "[[other/K-009|Ali]] [[other/K-009|a]]"


def test_rewritten_links_are_found_in_the_atom() -> None:
    text = f"---\nid: K-001\n---\n{rewrite('[[Ali|her]] [w](b/Same.md)')}\n"
    path = f"{KNOWLEDGE}/K-001.md"
    place = parse_atom_path(path, Kinds())
    assert place
    atom = parse_atom(path, place, text)
    links = extract_links(atom, text)
    assert (WIKI_LINK, "k-002") in {(link.kind, link.cited) for link in links}
    assert "K-004" in {link.cited for link in links}


def test_a_name_that_thousands_of_notes_have_is_found_quickly() -> None:
    files = [NoteFile(f"{at}/README.md", "x", "2026-01-01") for at in range(4000)]
    notes = [parse_note(file, "0") for file in files]

    def resolve_all() -> None:
        targets = NoteLookup.from_notes(notes)
        for note in notes:
            assert targets.resolve_wiki_link("README", note.path) == note.path

    assert (cost := cost_of(resolve_all)).is_allowed, cost


@pytest.mark.soak
def test_a_long_line_with_many_links_is_rewritten_quickly() -> None:
    body = "| [[Home]] " * 90_000
    assert (cost := cost_of(lambda: rewrite(body))).is_allowed, cost
    assert rewrite("| [[Home]]") == "| [[K-001\\|Home]]"
