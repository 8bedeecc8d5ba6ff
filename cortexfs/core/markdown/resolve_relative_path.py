"""The path that a relative link means."""

from __future__ import annotations


def resolve_relative_path(folder: str, target: str) -> str | None:
    """Return a folder joined with a relative path; None if it leaves the top folder."""
    steps = folder.split("/") if folder else []
    for step in target.split("/"):
        if step == "..":
            if not steps:
                return None
            steps.pop()
        elif step not in {"", "."}:
            steps.append(step)
    return "/".join(steps)
