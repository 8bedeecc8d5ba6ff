"""The project of the working directory."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from place import Place


def test_the_project_of_the_working_directory_is_found_without_the_modules_for_events(
    sample: Place,
) -> None:
    program = (
        "import sys; from cortexfs.session.working_folders import find_tree_project\n"
        "from cortexfs.tree.tree import Tree\n"
        "root = sys.argv[1]\n"
        "print(find_tree_project(Tree(root), f'{root}/projects/driftwood/knowledge'))\n"
        "print(*(name for name in sys.modules if 'events' in name or 'memory' in name))\n"
    )
    words = [sys.executable, "-c", program, str(sample.root)]
    ran = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    assert ran == "driftwood\n\n"
