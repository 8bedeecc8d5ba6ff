"""Only what has one right answer is fixed: no ref gets another meaning, and none is lost."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.checks.check_atoms import LoadedAtoms
from cortexfs.core.checks.fixes import FixContext, find_field_fixes

KINDS = Kinds()
FOLDERS = {"EXP": "experiments", "K": "knowledge"}
STRANGE = ["9", "exp-001", "EXP-1", "MIL-188", "[EXP-001]", "{a: b}", ""]
IDENTS = ["EXP-001", "EXP-002", "EXP-003", "K-001", *STRANGE]

Fields = dict[str, str]


def _path(project: str, name: str) -> str:
    return f"projects/{project}/{FOLDERS[name.partition('-')[0]]}/{name}.md"


def _text(fields: Fields) -> str:
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\n{lines}---\n"


def _read(path: str, fields: Fields) -> Atom:
    where = parse_atom_path(path, KINDS)
    assert where
    return parse_atom(path, where, _text(fields))


def _fix(tree: dict[str, Fields]) -> dict[str, Fields]:
    """Fix every file of a tree at once, as `check --fix` does."""
    atoms = {path: _read(path, fields) for path, fields in tree.items()}
    loaded = LoadedAtoms.from_atoms(list(atoms.values()))
    known = FixContext.from_atoms(loaded, {"p", "q"}, KINDS, tree)
    return {
        path: {
            **fields,
            **{key: str(v) for key, v in find_field_fixes(path, atoms[path].fields, known).items()},
        }
        for path, fields in tree.items()
    }


fields = st.fixed_dictionaries(
    {"date": st.just("2026-01-01"), "id": st.sampled_from(IDENTS)},
    optional={"project": st.sampled_from(["p", "q", "gone", "[p]", ""])},
)
trees = st.dictionaries(
    st.builds(_path, st.sampled_from("pq"), st.sampled_from(["EXP-001", "EXP-002", "EXP-003"]))
    | st.builds(_path, st.sampled_from("pq"), st.just("K-001")),
    fields,
    max_size=8,
)


def _files_by_id(tree: dict[str, Fields]) -> dict[tuple[str, str], set[str]]:
    """Return the files of each well-formed id, by project and id."""
    found: dict[tuple[str, str], set[str]] = {}
    for path, values in tree.items():
        if values["id"] not in STRANGE:
            found.setdefault((path.split("/")[1], values["id"]), set()).add(path)
    return found


@given(trees)
def test_fixes_leave_no_ref_without_a_file_or_with_another_one(
    tree: dict[str, Fields],
) -> None:
    before, after = _files_by_id(tree), _files_by_id(_fix(tree))
    for (project, ident), paths in before.items():
        named_file = _path(project, ident)
        remaining = after.get((project, ident), set())
        assert remaining, "a ref that meant something means nothing"
        assert remaining <= paths | {named_file}
        if named_file in paths:
            assert named_file in remaining


@given(trees)
def test_a_fixed_id_is_that_of_the_file_name_and_unique(
    tree: dict[str, Fields],
) -> None:
    fixed = _fix(tree)
    changed = [path for path in tree if fixed[path]["id"] != tree[path]["id"]]
    counts = Counter((path.split("/")[1], values["id"]) for path, values in fixed.items())
    for path in changed:
        assert fixed[path]["id"] == path.rpartition("/")[2].removesuffix(".md")
        assert counts[path.split("/")[1], fixed[path]["id"]] == 1


@given(trees)
def test_a_project_field_becomes_its_folder_unless_that_project_exists(
    tree: dict[str, Fields],
) -> None:
    for path, values in _fix(tree).items():
        project = path.split("/")[1]
        typed = tree[path].get("project", "")
        assert values["project"] == (typed if typed in {"p", "q"} else project)


@given(trees)
def test_fixing_twice_is_fixing_once(tree: dict[str, Fields]) -> None:
    once = _fix(tree)
    assert _fix(once) == once


@pytest.mark.parametrize(
    ("name", "ident_before", "beside", "expected"),
    [
        ("EXP-002", "EXP-001", {"EXP-001": "EXP-001"}, "EXP-002"),  # a copy
        ("EXP-002", "EXP-001", {}, None),  # renamed, or mistyped: both can be meant
        ("EXP-002", "EXP-001", {"EXP-003": "EXP-001"}, None),  # neither is called so
        ("EXP-002", "EXP-001", {"EXP-001": "EXP-002"}, None),  # they were swapped
        ("EXP-002", "9", {}, "EXP-002"),
        ("EXP-002", "9", {"EXP-001": "EXP-002"}, None),  # somebody else bears it
        ("EXP-002", "MIL-188", {}, "EXP-002"),
        ("EXP-002", "K-001", {}, None),
        ("EXP-002", "K-001", {"K-001": "K-001"}, "EXP-002"),
        ("EXP-002", "EXP-002", {}, None),
    ],
)
def test_a_wrong_id_is_fixed_where_no_ref_can_mean_it(
    name: str, ident_before: str, beside: dict[str, str], expected: str | None
) -> None:
    values = {"id": ident_before, "project": "p"}
    others = {_path("p", other): {"id": ident, "project": "p"} for other, ident in beside.items()}
    fixed = _fix({**others, _path("p", name): values})
    assert fixed[_path("p", name)]["id"] == (expected or ident_before)


def test_two_decisions_with_one_number_are_not_fixed() -> None:
    paths = [f"projects/p/decisions/0007-{title}.md" for title in ("a", "b")]
    known = FixContext.from_atoms(
        LoadedAtoms.from_atoms([Atom(path, "decision", Ref("p/x"), "p") for path in paths]),
        {"p"},
        KINDS,
        paths,
    )
    for path in paths:
        assert find_field_fixes(path, {"id": "", "project": "p"}, known) == {}


def test_a_file_name_without_an_id_fixes_nothing() -> None:
    path = "projects/p/experiments/notes.md"
    known = FixContext.from_atoms(LoadedAtoms.from_atoms([]), {"p"}, KINDS, [path])
    assert find_field_fixes(path, {"id": "9", "project": "p"}, known) == {}
