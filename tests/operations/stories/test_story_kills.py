"""Commands about a story that are killed: the record, what is made of it, and a person's edits."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, NamedTuple

import pytest
from command_server import run_forked
from fault_shim import list_points, make_shim
from place import Place, build_tree
from soak_cases import leave_to_soak
from story_history import snapshot

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from conftest import Pick
    from place import CopyTree

POINTS = 3
"""Number of calls, evenly spread, at which each command is killed without `--soak`."""
PROJECT = "projects/flywheel"
ROAD = """Melina: Kael is a smith from Dustwell. Kael sighed.
Kael: I promise, Melina, that Orin will come back. Orin fears the sea.
Voss: <font color=#abc>"Go,"</font> said Kael. Voss was at Thornhold.
Melina: Melina wept. Orin betrayed Voss.
Kael: Kael laughed.
"""
LONGER = ROAD.replace("Kael laughed", "Kael wept for Nadia") + "Nadia: Nadia is a rider.\n"
SMALL = "stories:\n  messages-per-chunk: 2\n"


class Killed(NamedTuple):
    """A command, what it reads, and what makes the story whole after it was killed."""

    words: tuple[str, ...]
    feed: str = ""
    settings: str = ""
    repair: tuple[str, ...] = ("story", "rebuild", "road")


COMMANDS = {
    "import": Killed(("story", "import", "-", "--name", "road"), LONGER),
    "append": Killed(("story", "append", "road", "--speaker", "Nadia"), "Nadia saw Orin."),
    "rebuild": Killed(("story", "rebuild", "road"), settings=SMALL),
    "rename": Killed(
        ("story", "rename", "road", "hill"), repair=("story", "rename", "road", "hill")
    ),
    "rm": Killed(("story", "rm", "road"), repair=("story", "rm", "road")),
}


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree) -> Place:
    """A tree with a story of which a person has edited and removed entities."""
    place = copy_tree(tmp_path_factory.mktemp("killed") / "seed", build_tree)
    run(place, Killed(("story", "import", "-", "--name", "road"), ROAD))
    entities = {path.name[8:]: path for path in (place.root / PROJECT / "entities").glob("ENT-*")}
    kael = entities["kael.md"]
    kael.write_text(kael.read_text().replace("status: active", "status: inactive") + "\nMine.\n")
    entities["voss.md"].unlink()
    run(place, Killed(("commit",)))
    return place


def run(place: Place, command: Killed, before: str = "") -> int:
    environment = {**os.environ, "CORTEXFS_NOW": "2026-05-06T20:31:10+00:00"}
    environment |= {"PYTHONHASHSEED": "0", "CORTEXFS_DRAIN_QUIET": "off"}
    words = ("--root", str(place.root), *command.words)
    return run_forked(words, str(place.root), environment, command.feed, before).returncode


def restore(seed: Place, folder: Path, command: Killed) -> Place:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(seed.root, folder, symlinks=True)
    place = Place(folder)
    if command.settings:
        place.write("cortexfs.yaml", command.settings)
    return place


def repair(place: Place, command: Killed) -> dict[str, str]:
    """Run what makes the story whole, and return all that it has."""
    code = run(place, command._replace(words=command.repair))
    assert code == 0 or (code == 3 and command.repair == command.words), code
    return snapshot(place.root)


@pytest.mark.parametrize("name", leave_to_soak(COMMANDS, every=2))
def test_a_killed_command_leaves_a_story_as_before_or_as_after(
    seed: Place, name: str, tmp_path: Path, soak: bool, pick: Pick
) -> None:
    command = COMMANDS[name]
    place = restore(seed, tmp_path / "tree", command)
    allowed = [repair(place, command)]
    place = restore(seed, tmp_path / "tree", command)
    calls = tmp_path / "calls"
    assert run(place, command, make_shim(("", 0), "", str(calls))) == 0
    allowed.append(repair(place, command))
    points = choose(list_points(calls.read_text()), soak=soak, pick=pick)
    killed = 0
    for point in points:
        place = restore(seed, tmp_path / "tree", command)
        code = run(place, command, make_shim(point, "kill"))
        assert code in {-9, 0}, point
        killed += code == -9  # files with a young stamp are opened once more, in some runs only
        found = repair(place, command)
        assert found in allowed, (point, find_difference(found, allowed))
        kael = [text for path, text in found.items() if path.endswith("Kael")]
        assert all("status: inactive" in text and text.endswith("\nMine.\n") for text in kael)
        assert not any(path.endswith("Voss") for path in found), point
        assert place.git("status", "--porcelain").strip() in {"", "?? cortexfs.yaml"}, point
        assert place.run("check").code == 0, point
    assert killed >= len(points) * 3 // 4


def choose(
    points: Sequence[tuple[str, int]], *, soak: bool, pick: Pick
) -> Sequence[tuple[str, int]]:
    if soak:
        return pick(points, 4)
    return [points[(2 * n + 1) * len(points) // (2 * POINTS)] for n in range(POINTS)]


def find_difference(found: dict[str, str], allowed: list[dict[str, str]]) -> list[str]:
    """Return the paths that are neither as before nor as after."""
    paths = {path for each in (found, *allowed) for path in each}
    return sorted(
        path for path in paths if found.get(path) not in {each.get(path) for each in allowed}
    )
