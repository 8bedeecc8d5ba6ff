"""Make a reproducible tree whose atoms link to each other in groups."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PER_PROJECT = 1000
PER_GROUP = 90
"""Number of atoms with neighbouring numbers that link to each other more than to the rest."""
FAR_SHARE = 0.06
"""Share of the links that lead out of the group."""
TITLES = (
    "Drift of the bearing sensor after a cold night, measured again with the shorter window",
    "センサーの軸受け温度が上昇した原因を調査する",
    "قياس درجة حرارة المحمل بعد ليلة باردة",
    "🚀 Release notes 🔥 with 👩‍👩‍👧‍👦 in the title",
    "Überlänge: " + "Donaudampfschifffahrtsgesellschaftskapitän" * 3,
)


def write_linked_corpus(root: Path, atoms: int, links: int) -> None:
    """Write `atoms` experiments with `links` links in all to an existing tree."""
    rng = random.Random(atoms)
    each = links // atoms
    for number in range(atoms):
        project, ident = divmod(number, PER_PROJECT)
        folder = root / "projects" / f"bench-{project:03d}" / "experiments"
        folder.mkdir(parents=True, exist_ok=True)
        cited = ", ".join(_choose_links(rng, number, atoms, each))
        (folder / f"EXP-{ident + 1:03d}.md").write_text(
            f"---\nid: EXP-{ident + 1:03d}\ndate: 2026-05-{1 + number % 28:02d}\n"
            f'project: {folder.parent.name}\nsummary: "{TITLES[number % len(TITLES)]} {number}"\n'
            f"tags: [bench]\nstatus: {rng.choice(('valid', 'valid', 'active', 'superseded'))}\n"
            f"links: [{cited}]\n---\n\n## Results\n\nNone.\n"
        )


def _choose_links(rng: random.Random, number: int, atoms: int, count: int) -> Iterator[str]:
    """Yield the refs that an atom cites, no ref twice."""
    first = number - number % PER_GROUP
    chosen = {number}
    while len(chosen) <= count:
        is_far = rng.random() < FAR_SHARE
        chosen.add(
            rng.randrange(atoms) if is_far else min(first + rng.randrange(PER_GROUP), atoms - 1)
        )
    for other in sorted(chosen - {number}):
        project, ident = divmod(other, PER_PROJECT)
        yield f"bench-{project:03d}/EXP-{ident + 1:03d}"
