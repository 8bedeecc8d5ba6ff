"""Line ends of a text that was edited where all of them are line feeds, as in a browser."""

from __future__ import annotations

from cortexfs.core.text.line_diff import match_lines


def keep_line_ends(before: str, edited: str) -> str:
    """Return an edited text (with line feeds) with the line ends that unchanged lines had.

    A new line ends as most lines did.
    """
    if "\r" not in before:
        return edited
    old_lines = before.splitlines(keepends=True)
    old = [line.rstrip("\r\n") for line in old_lines]
    new_lines = edited.split("\n")
    ends = [line[len(old[number]) :] for number, line in enumerate(old_lines)]
    usual = max(("\r\n", "\n"), key=ends.count)
    kept = {new: ends[at] for at, new in match_lines(old, new_lines) if ends[at]}
    last = len(new_lines) - 1
    return "".join(
        line + ("" if number == last else kept.get(number, usual))
        for number, line in enumerate(new_lines)
    )
