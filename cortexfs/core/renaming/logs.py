"""Keep the access log of an atom that gets another name or project."""

from __future__ import annotations

import json
import re


def rename_file_in_log(log: str, old: str, new: str) -> str:
    """Return a log with a new file name in the lines of one file; no other byte changes."""
    return "".join(
        _rename_file_in_line(line, old, new) if _is_about_file(line, old) else line
        for line in _split_lines(log)
    )


def split_log_by_file(log: str, name: str) -> tuple[str, str]:
    """Split a log into the lines of other files and those of one."""
    lines = _split_lines(log)
    own = [_end_with_newline(line) for line in lines if _is_about_file(line, name)]
    return "".join(line for line in lines if not _is_about_file(line, name)), "".join(own)


def append_log_lines(log: str, lines: str) -> str:
    """Return a log with lines added; its last line may lack its line end."""
    return f"{_end_with_newline(log) if log and lines else log}{lines}"


def _is_about_file(line: str, name: str) -> bool:
    if name not in line and json.dumps(name)[1:-1] not in line:
        return False  # nearly always
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(fields, dict) and fields.get("file") == name


def _rename_file_in_line(line: str, old: str, new: str) -> str:
    """Return a line with another value of `file`."""
    spelled = "|".join(re.escape(json.dumps(old, ensure_ascii=strict)) for strict in (False, True))
    value = json.dumps(new, ensure_ascii=False)
    return re.sub(rf'("file"\s*:\s*)(?:{spelled})', lambda found: found[1] + value, line, count=1)


def _end_with_newline(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


def _split_lines(log: str) -> list[str]:
    """Split a log at its newlines, and at no other Unicode line separator."""
    return re.findall(r"[^\n]*\n|[^\n]+", log)
