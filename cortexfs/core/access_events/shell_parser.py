"""Parse a plain shell command: a list of pipelines of simple commands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class UnclearCommand(Exception):
    """The effect of the command cannot be determined without running it."""


class ShellCommand(NamedTuple):
    """One simple command: its words before expansion, and its redirections."""

    words: tuple[str, ...]
    input_file: str = ""
    """The file that standard input is redirected from."""
    is_redirected: bool = False
    """Whether standard output is redirected."""


class Pipeline(NamedTuple):
    """One pipeline, and the operator before it."""

    operator: str
    commands: tuple[ShellCommand, ...]


class _Item(NamedTuple):
    kind: str
    text: str


MAX_COMMAND_CHARS = 16_384
"""Maximum characters of a command."""
MAX_PIPELINES = 500
"""Maximum pipelines in a command."""
MAX_WILDCARDS = 500
"""Maximum wildcards in a command: a folder is listed for each."""

_SPECIAL = "*?[]{},~$!^"
_HIDDEN = {ord(char): 0xE000 + ord(char) for char in _SPECIAL}
_SHOWN = {hidden: char for char, hidden in _HIDDEN.items()}
"""Quoted special characters are mapped to private-use characters until after expansion."""

_PROGRAMMING = re.compile(
    r"if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|coproc|[{}!]|\[\["
)
_TOKEN = re.compile(
    r"""(?P<gap>[ \t\r]+ | (?<![^\s;&|])\#[^\n]*)
    | (?P<redirect>(?:(?<![^\s;&|])\d+)? (?:&>>? | >> | >\| | >& | <& | <> | > | <) (?![(<]))
    | (?P<joint>&& | \|\| | \|&? | ;(?!;) | & | \n)
    | '(?P<literal>[^']*)'
    | "(?P<quoted>(?:[^"\\`] | \\.)*)"
    | \\(?P<escaped>.)
    | (?P<bare>(?:[^\s'"\\;&|<>()`$] | \$(?![('"]))+)""",
    re.VERBOSE | re.DOTALL,
)
_IN_QUOTES = re.compile(
    r"""(?P<substitution>\$\() | (?P<live>\$(?:\{[^{}$]*\} | [@*\#?!$-])?)
    | \\(?P<escaped>[$`"\\\n]) | [^\\$]+ | \\""",
    re.VERBOSE,
)


def unquote_word(word: str) -> str:
    """Return a word as the command receives it, after all expansions."""
    return word.translate(_SHOWN)


def parse_command(command: str) -> list[Pipeline]:
    """Return a command's pipelines. Raises UnclearCommand for loops, substitutions and the like."""
    if len(command) > MAX_COMMAND_CHARS or _wildcards(command) > MAX_WILDCARDS:
        raise UnclearCommand
    steps: list[Pipeline] = []
    joint, stages = "", [[]]  # type: tuple[str, list[list[_Item]]]
    for item in (*_items(command), _Item("joint", "\n")):
        if item.kind != "joint":
            stages[-1].append(item)
        elif item.text in {"|", "|&"}:
            stages.append([])
        elif stages[-1]:
            steps.append(Pipeline(joint, tuple(map(_command, stages))))
            joint, stages = item.text, [[]]
            if len(steps) > MAX_PIPELINES:
                raise UnclearCommand
        elif item.text != "\n":
            raise UnclearCommand
    return steps


def _wildcards(command: str) -> int:
    return sum(map(command.count, "*?["))


def _items(command: str) -> Iterator[_Item]:
    """Yield words, redirections and operators in order."""
    word: str | None = None
    for kind, text in _tokens(command):
        if kind in {"gap", "redirect", "joint"}:
            if word is not None:
                yield _Item("word", word)
            word = None
            if kind != "gap":
                yield _Item(kind, text)
        elif (kind, text) != ("escaped", "\n"):
            word = (word or "") + _unquoted(kind, text)
    if word is not None:
        yield _Item("word", word)


def _tokens(command: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(command):
        token = _TOKEN.match(command, at)
        if token is None or token.lastgroup is None:
            raise UnclearCommand
        yield token.lastgroup, token[token.lastgroup]
        at = token.end()


def _unquoted(kind: str, text: str) -> str:
    """Return one piece of a word; quoted special characters become private-use characters."""
    if kind == "bare":
        return text
    return _IN_QUOTES.sub(_live, text) if kind == "quoted" else text.translate(_HIDDEN)


def _live(piece: re.Match[str]) -> str:
    if piece["substitution"]:
        raise UnclearCommand
    if piece["live"]:
        return piece[0]
    return (piece["escaped"] or piece[0]).translate(_HIDDEN) if piece[0] != "\\\n" else ""


def _command(items: Iterable[_Item]) -> ShellCommand:
    """Return a command with its words and redirections separated."""
    words: list[str] = []
    source, away = "", False
    rest = iter(items)
    for item in rest:
        if item.kind == "word":
            words.append(item.text)
            continue
        target = next(rest, None)
        if target is None or target.kind != "word":
            raise UnclearCommand
        if item.text in {"<", "0<"}:
            source = target.text
        away |= bool(re.match("1?>|&>", item.text))
    if words and _PROGRAMMING.fullmatch(words[0]):
        raise UnclearCommand
    return ShellCommand(tuple(words), source, away)
