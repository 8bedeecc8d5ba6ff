"""`cortexfs tui` needs a terminal and a theme that exists; nothing else pays for it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from terminal import talk

from cortexfs.errors import Usage
from cortexfs.interfaces.tui.themes import DARK, LIGHT, choose_theme

if TYPE_CHECKING:
    from place import Place


def test_without_a_terminal_it_is_refused(tree: Place) -> None:
    ran = tree.run("tui")
    assert (ran.code, ran.out) == (3, "")
    assert "the panel needs a terminal" in ran.err


def test_an_unknown_theme_is_refused_before_anything_is_drawn(tree: Place) -> None:
    done = talk(tree, "tui", "--theme", "purple")
    assert done.code == 2
    assert "no theme named `purple`" in done.output
    assert "\x1b[?1049h" not in done.output


def test_a_terminal_that_cannot_move_its_cursor_is_refused(tree: Place) -> None:
    done = talk(tree, "tui", TERM="dumb")
    assert (done.code, "TERM is `dumb`" in done.output) == (3, True)


@pytest.mark.parametrize(
    ("wanted", "colours", "theme"),
    [
        ("auto", "", DARK),
        ("auto", "15;0", DARK),
        ("auto", "0;15", LIGHT),
        ("auto", "0;default;7", LIGHT),
        ("dark", "0;15", DARK),
        ("light", "15;0", LIGHT),
        ("nord", "", "nord"),
    ],
)
def test_the_theme_follows_the_terminal_unless_it_is_named(
    wanted: str, colours: str, theme: str
) -> None:
    assert choose_theme(wanted, {"COLORFGBG": colours}) == theme


def test_an_unknown_theme_names_the_known_ones() -> None:
    with pytest.raises(Usage):
        choose_theme("purple", {})


def test_no_other_command_imports_textual() -> None:
    code = "import sys, cortexfs.interfaces.cli.commands.tui; assert 'textual' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
