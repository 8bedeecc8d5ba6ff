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


class _ShellToken(NamedTuple):
    kind: str
    text: str


MAX_COMMAND_CHARS = 16_384
"""Maximum characters of a command."""
MAX_PIPELINES = 500
"""Maximum pipelines in a command."""
MAX_WILDCARDS = 500
"""Maximum wildcards in a command: a folder is listed for each."""

_SPECIAL_CHARS = "*?[]{},~$!^"
_QUOTED_CHARS = {ord(char): 0xE000 + ord(char) for char in _SPECIAL_CHARS}
_UNQUOTED_CHARS = {hidden: char for char, hidden in _QUOTED_CHARS.items()}
"""Quoted special characters are mapped to private-use characters until after expansion."""

_RESERVED_WORD = re.compile(
    r"if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|coproc|[{}!]|\[\["
)
_PIECE = re.compile(
    r"""(?P<gap>[ \t\r]+ | (?<![^\s;&|])\#[^\n]*)
    | (?P<redirect>(?:(?<![^\s;&|])\d+)? (?:&>>? | >> | >\| | >& | <& | <> | > | <) (?![(<]))
    | (?P<operator>&& | \|\| | \|&? | ;(?!;) | & | \n)
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
    return word.translate(_UNQUOTED_CHARS)


def parse_command(command: str) -> list[Pipeline]:
    """Return a command's pipelines. Raises UnclearCommand for loops, substitutions and the like."""
    if len(command) > MAX_COMMAND_CHARS or _count_wildcards(command) > MAX_WILDCARDS:
        raise UnclearCommand
    steps: list[Pipeline] = []
    operator, stages = "", [[]]  # type: tuple[str, list[list[_ShellToken]]]
    for item in (*_parse_tokens(command), _ShellToken("operator", "\n")):
        if item.kind != "operator":
            stages[-1].append(item)
        elif item.text in {"|", "|&"}:
            stages.append([])
        elif stages[-1]:
            steps.append(Pipeline(operator, tuple(map(_parse_simple_command, stages))))
            operator, stages = item.text, [[]]
            if len(steps) > MAX_PIPELINES:
                raise UnclearCommand
        elif item.text != "\n":
            raise UnclearCommand
    return steps


def _count_wildcards(command: str) -> int:
    return sum(map(command.count, "*?["))


def _parse_tokens(command: str) -> Iterator[_ShellToken]:
    """Yield words, redirections and operators in order."""
    word: str | None = None
    for kind, text in _split_pieces(command):
        if kind in {"gap", "redirect", "operator"}:
            if word is not None:
                yield _ShellToken("word", word)
            word = None
            if kind != "gap":
                yield _ShellToken(kind, text)
        elif (kind, text) != ("escaped", "\n"):
            word = (word or "") + _hide_quoted_chars(kind, text)
    if word is not None:
        yield _ShellToken("word", word)


def _split_pieces(command: str) -> Iterator[tuple[str, str]]:
    position = 0
    while position < len(command):
        piece = _PIECE.match(command, position)
        if piece is None or piece.lastgroup is None:
            raise UnclearCommand
        yield piece.lastgroup, piece[piece.lastgroup]
        position = piece.end()


def _hide_quoted_chars(kind: str, text: str) -> str:
    """Return one piece of a word; quoted special characters become private-use characters."""
    if kind == "bare":
        return text
    return (
        _IN_QUOTES.sub(_hide_literal_piece, text)
        if kind == "quoted"
        else text.translate(_QUOTED_CHARS)
    )


def _hide_literal_piece(piece: re.Match[str]) -> str:
    if piece["substitution"]:
        raise UnclearCommand
    if piece["live"]:
        return piece[0]
    return (piece["escaped"] or piece[0]).translate(_QUOTED_CHARS) if piece[0] != "\\\n" else ""


def _parse_simple_command(items: Iterable[_ShellToken]) -> ShellCommand:
    """Return a command with its words and redirections separated."""
    words: list[str] = []
    input_file, is_redirected = "", False
    tokens = iter(items)
    for item in tokens:
        if item.kind == "word":
            words.append(item.text)
            continue
        target = next(tokens, None)
        if target is None or target.kind != "word":
            raise UnclearCommand
        if item.text in {"<", "0<"}:
            input_file = target.text
        is_redirected |= bool(re.match("1?>|&>", item.text))
    if words and _RESERVED_WORD.fullmatch(words[0]):
        raise UnclearCommand
    return ShellCommand(tuple(words), input_file, is_redirected)
