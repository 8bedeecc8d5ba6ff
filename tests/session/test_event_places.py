"""The project of the folder in which an event happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.process_events.edited_paths import WorkingFolder
from cortexfs.session.event_places import make_places
from cortexfs.tree.tree import Tree

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place


def test_a_folder_has_the_project_of_the_tree_or_the_name_of_its_repository(
    sample: Place, tmp_path: Path
) -> None:
    (tmp_path / "Gas Engine/.git").mkdir(parents=True)
    (tmp_path / "Gas Engine/src/deep").mkdir(parents=True)
    (tmp_path / "plain").mkdir()
    locate = make_places(Tree(str(sample.root))).locate
    repository = str(tmp_path / "Gas Engine")
    assert locate(f"{repository}/src/deep") == WorkingFolder("gas-engine", repository)
    assert locate(f"{repository}/gone") == WorkingFolder("gas-engine", repository)
    assert locate(str(sample.root / "projects/driftwood/knowledge")).project == "driftwood"
    assert locate(str(sample.root)).project == ""
    assert locate(str(tmp_path / "plain")) == WorkingFolder()


def test_what_is_no_absolute_path_has_no_project(sample: Place) -> None:
    locate = make_places(Tree(str(sample.root))).locate
    for folder in ("", "projects", "\0", "/\0", "/x" * 9999, "/\udcff", "~"):
        assert locate(folder) == WorkingFolder()
