"""Where things stand: which paths hold an atom, which names may travel."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.tree_paths import (
    is_access_log_name,
    is_project_name,
    parse_atom_path,
    project_from_path,
)

KINDS = Kinds()


@pytest.mark.parametrize(
    ("path", "kind", "project", "claims"),
    [
        ("projects/p/experiments/EXP-042.md", "experiment", "p", "EXP-042"),
        ("projects/p/knowledge/K-008.md", "knowledge", "p", "K-008"),
        ("projects/p/experiments/notes.md", "experiment", "p", None),
        ("projects/p/decisions/0007-use-git.md", "decision", "p", "DR-0007"),
        ("decisions/DR-0007-use-git.md", "decision", "", "DR-0007"),
        ("ideas/IDEA-001.md", "idea", "", "IDEA-001"),
    ],
)
def test_a_path_gives_project_kind_and_id(
    path: str, kind: str, project: str, claims: str | None
) -> None:
    place = parse_atom_path(path, KINDS)
    assert place is not None
    assert (place.kind.name, place.project, place.claimed_id) == (kind, project, claims)
    assert place.folder == path.rpartition("/")[0]
    assert project_from_path(path) == project


@pytest.mark.parametrize(
    "path",
    [
        *("projects/p/experiments/index.md", "projects/p/experiments/CORTEX.md"),
        *("projects/p/experiments/CORTEX.local.md", "decisions/CORTEX.local.md"),
        *("projects/p/experiments/_draft.md", "projects/p/experiments/.EXP-001.md"),
        *("projects/p/experiments/EXP-001.txt", "projects/p/experiments/deep/EXP-001.md"),
        *("projects/p/EXP-001.md", "experiments/EXP-001.md", "projects/p/ideas/IDEA-001.md"),
        *("projects/p/mission.md", "EXP-001.md", "", "projects/p/scans/2026-01-01.md"),
    ],
)
def test_other_paths_hold_no_atom(path: str) -> None:
    assert parse_atom_path(path, KINDS) is None


@given(st.text())
def test_any_path_can_be_parsed(path: str) -> None:
    parse_atom_path(path, KINDS)
    project_from_path(path)


@given(st.text(max_size=70))
def test_a_project_name_is_valid_on_every_file_system(name: str) -> None:
    if is_project_name(name):
        assert name.isascii()
        assert name == name.lower().strip(" .")
        assert not set(name) & set('/\\:*?"<>|\0\n')
        assert name.partition(".")[0] not in {"con", "prn", "aux", "nul", "com1", "lpt9"}
        assert len(name) <= 64


@pytest.mark.parametrize(
    ("name", "ok"),
    [
        ("flywheel", 1),
        ("a", 1),
        ("0.x_y-z", 1),
        ("con", 0),
        ("con.x", 0),
        ("console", 1),
        ("lpt9", 0),
        ("com1.x", 0),
        ("nul", 0),
        ("a" * 64, 1),
        ("a" * 65, 0),
        ("a b", 0),
        ("ä", 0),
        ("-a", 0),
        (".a", 0),
        ("a.", 0),
        ("A", 0),
        ("a\n", 0),
        ("", 0),
    ],
)
def test_examples_of_project_names(name: str, ok: int) -> None:
    assert is_project_name(name) is bool(ok)


@pytest.mark.parametrize(
    ("name", "ok"),
    [
        ("access-log.jsonl", 1),
        ("access-log.2026-03.jsonl", 1),
        ("access-log.old.jsonl", 0),
        ("access-log.2026-3.jsonl", 0),
        ("access-log.jsonl~", 0),
    ],
)
def test_an_access_log_is_the_current_one_or_that_of_a_month(name: str, ok: int) -> None:
    assert is_access_log_name(name) is bool(ok)
