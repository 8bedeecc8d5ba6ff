"""An editor needs a terminal, and its text is never lost."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from terminal import take_kept_text, talk

if TYPE_CHECKING:
    from place import Place

ASKED = ("-p", "flywheel", "-s", "Spin", "-t", "speed")
OPENING = (
    ("status", "edit"),
    ("mission", "edit", "--approved"),
    ("scan", "new"),
    ("new", "experiment", *ASKED, "--edit"),
    ("decision", "new", "-s", "Use git", "--edit"),
    ("idea", "new", "-s", "Tides", "-t", "time", "--edit"),
)


def _head(place: Place) -> str:
    return place.git("rev-parse", "HEAD")


@pytest.mark.parametrize("words", OPENING, ids=" ".join)
def test_without_a_terminal_no_editor_is_started(
    tree: Place, tmp_path: Path, words: tuple[str, ...]
) -> None:
    head, opened = _head(tree), tmp_path / "opened"
    ran = tree.run(*words, EDITOR=f"touch {opened}")
    assert (ran.code, ran.out) == (3, "")
    assert "--body-file" in ran.err
    assert not opened.exists()
    assert _head(tree) == head


def test_a_cancelled_editor_changes_nothing_and_the_text_is_kept(tree: Place) -> None:
    head = _head(tree)
    done = talk(tree, "status", "edit", EDITOR="sh -c 'echo mine > $1; exit 1' x")
    assert done.code == 3
    assert take_kept_text(done.output) == "mine\n"
    assert _head(tree) == head


def test_a_cancelled_editor_without_changes_leaves_no_file(tree: Place) -> None:
    done = talk(tree, "status", "edit", EDITOR="false")
    assert done.code == 3
    assert "exited with 1" in done.output
    assert "saved" not in done.output


def test_a_refused_new_atom_keeps_the_text_of_the_editor(tree: Place) -> None:
    secret = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    created = ("new", "experiment", *ASKED, "--edit")
    done = talk(tree, *created, EDITOR=f"sh -c 'echo token {secret} >> $1' x")
    assert done.code == 3
    assert secret in take_kept_text(done.output)


def test_bytes_that_are_not_text_are_kept_as_they_are(tree: Place) -> None:
    done = talk(tree, "status", "edit", EDITOR="sh -c 'printf \"\\\\377\" > $1' x")
    assert done.code == 3
    assert "not UTF-8" in done.output
    path = Path(done.output.rpartition("saved in ")[2].split()[0])
    assert path.read_bytes() == b"\xff"
    path.unlink()


@pytest.mark.parametrize("editor", ["no-such-editor", "unclosed 'quote"])
def test_an_editor_that_does_not_start_is_reported_with_alternatives(
    tree: Place, editor: str
) -> None:
    done = talk(tree, "status", "edit", EDITOR=editor)
    assert done.code == 3
    assert "set EDITOR to another editor, or use --body-file" in done.output


def test_ctrl_c_ends_the_editor_and_the_text_is_kept(tree: Place) -> None:
    editor = "sh -c 'echo half > $1; kill -INT $PPID; kill -INT $$' x"
    done = talk(tree, "status", "edit", EDITOR=editor)
    assert done.code == 3
    assert f"signal {int(signal.SIGINT)}" in done.output
    assert take_kept_text(done.output) == "half\n"
