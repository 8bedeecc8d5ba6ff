"""Read a repository's own configuration, and choose the few settings that are passed to git.

Git itself never reads that file when cortexfs runs it: a setting in it may name a program, another
file, or a pipe, and it may change the output of a command. Included files are not read.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING

from cortexfs.errors import HistoryFailed
from cortexfs.history.check_git_dir import read_regular

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Settings = list[tuple[str, str]]

_MAX_CONFIG_BYTES = 1 << 20
"""Maximum bytes of a configuration that are read; typical files have some hundred."""

_MAX_IGNORE_BYTES = 1 << 20
"""Maximum bytes of an ignore file that is passed on: git reads it whole."""

_BLANK = re.compile(r"(?>(?:[ \t\r\n]++|[#;][^\n]*+)*)")
_SECTION = re.compile(r'\[([A-Za-z0-9.-]++)(?:[ \t]++"((?>(?:[^"\\\n]|\\[^\n])*))")?\]')
_KEY = re.compile(r"([A-Za-z][A-Za-z0-9-]*+)[ \t]*+(=[ \t]*+|(?=\n|\Z))")
_QUOTED = r'"(?>(?:[^"\\\n]|\\[\n"\\bnt])*)"'
_VALUE = re.compile(rf'((?>(?:{_QUOTED}|\\(?:[\n"\\bnt]|\Z)|[^"\\\n#;])*))(?:[#;][^\n]*+)?')
_PIECE = re.compile(r'\\(.|\Z)|(")|([ \t\r])|([^"\\ \t\r]++)', re.DOTALL)
_ESCAPED = {"\n": "", "n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\"}

_BOOLEAN = re.compile(r"true|false|yes|no|on|off|0|1|", re.IGNORECASE)
_TEXT = re.compile(r"[^\0\n]{1,1000}")
_PASSED_SETTINGS = {
    "core.ignorecase": _BOOLEAN,
    "core.precomposeunicode": _BOOLEAN,
    "core.logallrefupdates": re.compile(r"always|true|false", re.IGNORECASE),
    "core.sharedrepository": re.compile(
        r"umask|group|all|world|everybody|true|false|0?[0-7]{3}", re.IGNORECASE
    ),
    "extensions.objectformat": re.compile(r"sha1|sha256"),
} | {
    f"{who}.{what}": _TEXT for who in ("user", "author", "committer") for what in ("name", "email")
}
"""Settings that are passed on, and a pattern for their allowed values."""

_EXTENSIONS = {
    "noop",
    "noop-v1",
    "objectformat",
    "partialclone",
    "preciousobjects",
    "refstorage",
    "relativeworktrees",
    "worktreeconfig",
}


def parse_config(text: str) -> Settings:
    """Return the settings of a file as (key, value), in order; section and name in lower case.

    Raises `ValueError` with the line number for a line that git cannot read either.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    settings, section = [], ""
    at = _skip_blanks(text, 0)
    while at < len(text):
        if found := _SECTION.match(text, at):
            name, inner = found[1].lower(), found[2]
            section = name if inner is None else name + "." + re.sub(r"\\(.)", r"\1", inner)
            at = found.end()
        elif found := _KEY.match(text, at):
            value, at = _parse_value(text, found.end()) if found[2] else ("true", found.end())
            settings.append((f"{section}.{found[1].lower()}".removeprefix("."), value))
        else:
            raise ValueError(text.count("\n", 0, at) + 1)
        at = _skip_blanks(text, at)
    return settings


def _skip_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _parse_value(text: str, at: int) -> tuple[str, int]:
    """Return a value and the position where its line ends; trailing blanks are removed."""
    found = _VALUE.match(text, at)
    if not found or text[found.end() : found.end() + 1] not in {"", "\n"}:
        raise ValueError(text.count("\n", 0, at) + 1)
    value, used, quoted = "", 0, False
    for escaped, quote, blank, plain in _PIECE.findall(found[1]):
        quoted ^= bool(quote)
        if not blank or quoted:
            value += _ESCAPED[escaped] if escaped else blank or plain
            used = len(value)
        elif value:
            value += blank
    return value[:used], found.end()


def read_settings(common: str) -> Settings:
    """Return a repository's own settings; raise `HistoryFailed` if git could not use them."""
    path = f"{common}/config"
    content = read_regular(path, _MAX_CONFIG_BYTES + 1) or b""
    if len(content) > _MAX_CONFIG_BYTES:
        raise HistoryFailed(
            f"`{path}` is larger than {_MAX_CONFIG_BYTES} bytes",
            hint="remove settings that git does not need",
        )
    try:
        settings = parse_config(os.fsdecode(content))
    except ValueError as error:
        raise HistoryFailed(
            f"bad config line {error} in `{path}`", hint="correct that line"
        ) from None
    _check_format(path, settings)
    return settings


def _check_format(path: str, settings: Settings) -> None:
    known = dict(settings)
    version = known.get("core.repositoryformatversion", "0")
    extensions = {key.partition(".")[2] for key in known if key.startswith("extensions.")}
    unknown = extensions - _EXTENSIONS if version != "0" else set()
    if known.get("extensions.refstorage", "files") != "files":
        unknown |= {"refstorage"}
    if version not in {"0", "1"} or unknown:
        what = f"extension `{min(unknown)}`" if unknown else f"format version {version!a}"
        raise HistoryFailed(
            f"`{path}` has {what}, which cortexfs does not support",
            hint="cortexfs works without history; to keep one, convert the repository",
        )


def format_git_settings(settings: Iterable[tuple[str, str]], top: str) -> bytes:
    """Return the configuration that is passed to git: the committer, and how files are stored."""
    passed = {key: value for key, value in settings if _is_passed(key, value, top)}
    version = int("extensions.objectformat" in passed)
    lines = [
        f"[core]\n\trepositoryFormatVersion = {version}\n\tbare = false\n",
        *_format_lines(passed),
    ]
    return os.fsencode("".join(lines))


def _is_passed(key: str, value: str, top: str) -> bool:
    if key == "core.excludesfile":  # git would wait at a pipe
        return _is_small_file(os.path.join(top, os.path.expanduser(value)))
    pattern = _PASSED_SETTINGS.get(key)
    return pattern is not None and pattern.fullmatch(value) is not None


def _is_small_file(path: str) -> bool:
    try:
        status = os.stat(path)
        return stat.S_ISREG(status.st_mode) and status.st_size <= _MAX_IGNORE_BYTES
    except (OSError, ValueError):
        return False


def _format_lines(settings: dict[str, str]) -> Iterator[str]:
    for key, value in settings.items():
        section, _, name = key.partition(".")
        quoted = value.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
        yield f'[{section}]\n\t{name} = "{quoted}"\n'
