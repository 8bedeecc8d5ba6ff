"""Ask on the terminal; questions are on stderr, because stdout is for data."""

from __future__ import annotations

import sys


def ask_question(question: str) -> str:
    """Ask a question on the terminal, and return the answer."""
    sys.stderr.write(f"{question} ")
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def ask_yes_no(question: str) -> bool:
    """Ask for a confirmation on the terminal; the default is yes, the end of input is no."""
    sys.stderr.write(f"{question} [Y/n] ")
    sys.stderr.flush()
    answer = sys.stdin.readline()
    if not answer:
        sys.stderr.write("\n")
    return bool(answer) and answer.strip().lower() in {"", "y", "yes"}
