"""Taking a change back, as a decision about texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.changes.plan import Plan, Remove, Write
from cortexfs.core.changes.undo import (
    CommittedFile,
    find_dangling_citations,
    format_undo_message,
    is_empty_undo,
    is_incomplete_undo,
    plan_undo,
)
from cortexfs.errors import Refused

ATOM = "projects/p/experiments/EXP-001.md"
PAGE = "projects/p/CORTEX.md"
INDEX = "projects/p/experiments/index.md"

trees = st.dictionaries(st.sampled_from("abcdef"), st.text("xyz\r\n", max_size=4), max_size=5)


def apply_plan(plan: Plan, tree: dict[str, str]) -> dict[str, str]:
    """Do what a plan says to a tree in memory, expecting what it expects."""
    result = dict(tree)
    for write in plan.writes:
        assert result.get(write.path) == write.expected_text
        result[write.path] = write.text
    for removal in plan.removes:
        assert result.pop(removal.path, None) == removal.expected_text
    return result


def changes_of(before: dict[str, str], after: dict[str, str]) -> list[CommittedFile]:
    every = sorted(before.keys() | after.keys())
    sides = (CommittedFile(path, before.get(path), after.get(path)) for path in every)
    return [change for change in sides if change.before != change.after]


@given(trees, trees)
def test_undo_restores_the_texts_before_and_redo_those_after(
    before: dict[str, str], after: dict[str, str]
) -> None:
    there = changes_of(before, after)
    back = plan_undo("undo", there, {c.path: after.get(c.path) for c in there})
    assert apply_plan(back, after) == before
    again = changes_of(after, before)
    assert (
        apply_plan(plan_undo("redo", again, before | _missing_paths(again, before)), before)
        == after
    )


def _missing_paths(changes: list[CommittedFile], tree: dict[str, str]) -> dict[str, str | None]:
    return {change.path: None for change in changes if change.path not in tree}


@given(trees, trees, st.data())
def test_an_interrupted_undo_is_completed_by_the_next(
    before: dict[str, str], after: dict[str, str], data: st.DataObject
) -> None:
    there = changes_of(before, after)
    done = {c.path for c in there if data.draw(st.booleans())}
    half_undone = after | {p: before[p] for p in done & before.keys()}
    half_undone = {p: text for p, text in half_undone.items() if p not in done or p in before}
    plan = plan_undo("undo", there, {c.path: half_undone.get(c.path) for c in there})
    assert apply_plan(plan, half_undone) == before
    assert is_empty_undo(plan) == (done == {c.path for c in there})


@given(trees, trees, st.data())
def test_an_undo_is_refused_when_one_file_has_changed_since(
    before: dict[str, str], after: dict[str, str], data: st.DataObject
) -> None:
    there = changes_of(before, after)
    if there:
        other = data.draw(st.sampled_from(there)).path
        current: dict[str, str | None] = {c.path: after.get(c.path) for c in there}
        with pytest.raises(Refused, match="changed since: "):
            plan_undo("undo", there, current | {other: "somebody's own words"})


def test_an_undo_is_refused_when_a_file_is_missing() -> None:
    with pytest.raises(Refused, match=ATOM):
        plan_undo("undo", [CommittedFile(ATOM, "a", "b")], {})


def atom_with(refs: str, status: str) -> str:
    return f"---\nid: EXP-001\nrefs: {refs} # counted\nstatus: {status}\n---\nText.\n"


def test_an_undo_keeps_later_read_counts() -> None:
    change = CommittedFile(ATOM, atom_with("0", "valid"), atom_with("0", "stale"))
    (write,) = plan_undo("undo", [change], {ATOM: atom_with("7", "stale")}).writes
    assert write == Write(ATOM, atom_with("7", "valid"), atom_with("7", "stale"))


def test_an_undo_removes_an_atom_with_later_read_counts() -> None:
    change = CommittedFile(ATOM, None, atom_with("0", "valid"))
    plan = plan_undo("undo", [change], {ATOM: atom_with("7", "valid")})
    assert plan.removes == (Remove(ATOM, atom_with("7", "valid")),)


@pytest.mark.parametrize(
    "current", ["---\nid: EXP-001\nrefs: 7 # counted\n---\nText.\n", "no fence"]
)
def test_an_undo_is_refused_for_later_changes_beside_read_counts(current: str) -> None:
    change = CommittedFile(ATOM, atom_with("0", "valid"), atom_with("0", "stale"))
    with pytest.raises(Refused):
        plan_undo("undo", [change], {ATOM: current})


def page_with_list(rows: str, around: str = "") -> str:
    return f"# p\n{around}\n<!-- cortexfs:files -->\n{rows}<!-- /cortexfs:files -->\nend\n"


def test_an_undo_keeps_text_written_around_a_generated_list() -> None:
    change = CommittedFile(PAGE, page_with_list("one\n"), page_with_list("one\ntwo\n"))
    (write,) = plan_undo("undo", [change], {PAGE: page_with_list("one\ntwo\n", "Mine.")}).writes
    assert write.text == page_with_list("one\n", "Mine.")


def test_an_undo_leaves_a_list_that_was_generated_since() -> None:
    change = CommittedFile(PAGE, page_with_list("one\n"), page_with_list("one\ntwo\n"))
    assert is_empty_undo(
        plan_undo("undo", [change], {PAGE: page_with_list("one\ntwo\nthree\n", "Mine.")})
    )


def test_an_undo_is_refused_for_a_page_edited_after_the_change() -> None:
    change = CommittedFile(PAGE, page_with_list("one\n", "Old."), page_with_list("one\n", "New."))
    with pytest.raises(Refused, match=PAGE):
        plan_undo("undo", [change], {PAGE: page_with_list("one\n", "Newer.")})


def test_an_undo_leaves_an_index_that_was_rendered_since() -> None:
    plan = plan_undo("undo", [CommittedFile(INDEX, "before", "left")], {INDEX: "rendered since"})
    assert is_empty_undo(plan)


def test_an_undo_does_not_remove_an_index_written_by_hand() -> None:
    with pytest.raises(Refused, match=INDEX):
        plan_undo("undo", [CommittedFile(INDEX, None, "left")], {INDEX: "# By hand\n"})


def test_an_undo_does_not_remove_cortex_md() -> None:
    with pytest.raises(Refused, match="would remove the tree"):
        plan_undo("undo", [CommittedFile("CORTEX.md", None, "x")], {"CORTEX.md": "x"})


@pytest.mark.parametrize(
    ("subject", "undone"),
    [
        ("new experiment p/EXP-001: x", "undo: new experiment p/EXP-001: x"),
        ("undo: x", "redo: x"),
        ("redo: x", "undo: x"),
        ("undo", "undo: undo"),
        ("", "undo: "),
    ],
)
def test_undoing_an_undo_is_a_redo(subject: str, undone: str) -> None:
    assert format_undo_message(subject) == undone


def test_an_undo_is_incomplete_without_a_file_that_is_not_derived() -> None:
    assert is_incomplete_undo([ATOM, INDEX], [INDEX])
    assert is_incomplete_undo([ATOM, PAGE], [ATOM])
    assert not is_incomplete_undo([ATOM, INDEX], [ATOM])


@pytest.mark.parametrize(
    ("cited", "project", "is_found"),
    [
        ("EXP-001", "p", True),
        ("p/EXP-001", "q", True),
        ("EXP-001", "q", False),
        ("q/EXP-001", "p", False),
        ("EXP-0011", "p", False),
    ],
)
def test_atoms_that_cite_a_removed_one_are_found(cited: str, project: str, is_found: bool) -> None:
    citing = Atom("projects/x.md", "knowledge", Ref(f"{project}/K-001"), project)
    plan = Plan("undo", removes=(Remove(ATOM, "x"),))
    atoms = [citing._replace(cited_refs=((cited, 3),))]
    found = find_dangling_citations(plan, atoms, Kinds())
    assert found == ([(atoms[0], cited)] if is_found else [])
    assert find_dangling_citations(plan, [atoms[0]._replace(path=ATOM)], Kinds()) == []
