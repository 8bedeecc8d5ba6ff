"""What `cortexfs story` accepts, and what it says of what it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from place import Place


def test_no_line_of_the_help_is_cut(tree: Place) -> None:
    assert "..." not in tree.ok("story", "--help").partition("Commands:")[2]


def test_an_unknown_role_is_refused(tree: Place) -> None:
    append = ("story", "append", "road", "--speaker", "Kael", "-p", "flywheel")
    ran = tree.run(*append, "--role", "king", "--json", feed="Hello")
    assert ran.code == 2
    assert json.loads(ran.out)["error"]["hint"] == "roles: assistant, system, user"
    assert tree.run(*append, "--role", "system", feed="Hello").code == 0


def test_what_is_no_text_has_a_hint(tree: Place) -> None:
    tree.run("story", "append", "road", "--speaker", "A", "-p", "flywheel", feed="Hello")
    (tree.root.parent / "bytes").write_bytes(b"\xff\xfe")
    for path in (str(tree.root.parent / "bytes"), "."):
        ran = tree.run("story", "render", "road", path, "-p", "flywheel")
        assert (ran.code, "hint: " in ran.err) == (3, True)
