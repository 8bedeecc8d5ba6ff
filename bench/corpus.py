"""Make reproducible trees of any size."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

WORDS = (
    "bearing", "bitmap", "block", "bound", "buffer", "cache", "codec", "delta", "drift", "encoder",
    "frame", "gauge", "header", "index", "latency", "ledger", "margin", "noise", "offset", "pager",
    "queue", "relay", "replay", "residual", "sensor", "shard",
)  # fmt: skip
PER_PROJECT = 2500
LINES_PER_ATOM = 12


def write_corpus(root: Path, atoms: int, per_project: int = PER_PROJECT) -> None:
    """Write `atoms` experiments to an existing tree, with logs of half as many reads."""
    rng = random.Random(atoms)
    for number in range(0, atoms, per_project):
        project = root / "projects" / f"bench-{number // per_project:03d}"
        count = min(per_project, atoms - number)
        (project / "experiments").mkdir(parents=True)
        (project / "_meta").mkdir()
        for ident in range(1, count + 1):
            text = _format_atom(rng, project.name, ident)
            (project / "experiments" / f"EXP-{ident:03d}.md").write_text(text)
        reads = (_format_read(rng, count, second) for second in range(count // 2))
        (project / "_meta" / "access-log.jsonl").write_text("".join(reads))


def _format_atom(rng: random.Random, project: str, ident: int) -> str:
    summary = " ".join(rng.choices(WORDS, k=12))
    tags = ", ".join(rng.sample(WORDS, 3))
    body = "\n".join(" ".join(rng.choices(WORDS, k=14)) for _ in range(LINES_PER_ATOM))
    cited = rng.randint(1, ident)
    return (
        f"---\nid: EXP-{ident:03d}\ndate: 2026-0{rng.randint(1, 5)}-{rng.randint(10, 28)}\n"
        f'project: {project}\nsummary: "{summary}"\ntags: [{tags}]\n'
        f"status: {rng.choice(('valid', 'valid', 'active', 'partial'))}\n"
        f"executor: lab-2\nlinks: [EXP-{cited:03d}]\n---\n\n"
        f"## Background\n\n{body}\n\n## Results\n\nAs in EXP-{cited:03d}.\n"
    )


def _format_read(rng: random.Random, count: int, second: int) -> str:
    time = f"2026-05-{1 + second % 6:02d}T03:{second // 60 % 60:02d}:{second % 60:02d}.000Z"
    return f'{{"file":"EXP-{rng.randint(1, count):03d}.md","tool":"Read","ts":"{time}"}}\n'
