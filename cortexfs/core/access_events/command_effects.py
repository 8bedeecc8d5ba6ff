"""The effect of one simple command, as far as its words show it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.access_events import programs
from cortexfs.core.access_events.command_options import ASSIGNMENT, program, read_options
from cortexfs.core.access_events.found_files import search_by_find
from cortexfs.core.access_events.search_output import Search, style_of
from cortexfs.core.access_events.shell_parser import UnclearCommand
from cortexfs.core.access_events.shell_words import UNKNOWN, Shell, expand

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.access_events.programs import Reader, Searcher
    from cortexfs.core.access_events.shell_parser import Command
    from cortexfs.core.access_events.shown_atoms import AtomFile


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """Prints the text of `files`, of which `found` are atoms; `succeeds` where the tree shows it.

    A path outside the tree is "". `filtered`: not all of the text is printed, but `whole_lines`
    are, unless a command changes them.
    """

    found: frozenset[AtomFile]
    succeeds: bool | None = None
    files: tuple[str, ...] = ()
    filtered: bool = False
    whole_lines: bool = False


@dataclass(frozen=True, slots=True)
class SearchFiles:
    """Prints the lines that match, each line after its file's name unless it is `bare`.

    `one` is the atom that was searched alone; `projects` are those whose folders of atoms
    were searched.
    """

    search: Search
    bare: bool = False
    one: AtomFile | None = None
    projects: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Echo:
    """Prints one line that stands in the command; not `sure` where it may not be reached."""

    text: str
    sure: bool = True


@dataclass(frozen=True, slots=True)
class ChangeDir:
    """Changes the working directory."""

    folder: str


@dataclass(frozen=True, slots=True)
class SetVariables:
    """Sets shell variables."""

    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NoOutput:
    """Prints nothing; `succeeds` where that is known."""

    succeeds: bool | None = None


@dataclass(frozen=True, slots=True)
class UnknownOutput:
    """Prints something that the words do not show."""


Effect = ReadFiles | SearchFiles | Echo | ChangeDir | SetVariables | NoOutput | UnknownOutput

LONGEST_VALUE = 4096
"""Characters of a variable: `a=$a$a` doubles it, and no path is longer."""
_RESULTS = {"true": True, ":": True, "false": False}


def effect(command: Command, shell: Shell) -> Effect:
    """Give the effect of a command. Raises UnclearCommand where its words expand to too many."""
    words = list(command.words)
    sets = {}
    while words and (words[0] in programs.SETTERS or ASSIGNMENT.fullmatch(words[0])):
        if found := ASSIGNMENT.fullmatch(words.pop(0)):
            sets[found[1]] = _value(expand(found[2], shell))
    if not words:
        return SetVariables(sets)
    name, rest = program(expand_all(words, shell))
    done = _effect_of(name, rest, expand_all(filter(None, [command.source]), shell), shell)
    return NoOutput() if command.away and not isinstance(done, ChangeDir) else done


MOST_WORDS = 5000
MOST_CHARACTERS = 256 * 1024
"""What all words of one command may become together."""


def expand_all(words: Iterable[str], shell: Shell) -> list[str]:
    """Expand each of the words. Raises Unclear where they become too many or too long."""
    done: list[str] = []
    characters = 0
    for word in words:
        found = expand(word, shell)
        done += found
        characters += sum(map(len, found))
        if len(done) > MOST_WORDS or characters > MOST_CHARACTERS:
            raise UnclearCommand
    return done


def _effect_of(name: str, words: Sequence[str], source: Sequence[str], shell: Shell) -> Effect:
    if name in programs.SILENT:
        return NoOutput(_RESULTS.get(name))
    if name in {"cd", "pushd"}:
        return ChangeDir(next((word for word in words if word == "-" or word[:1] != "-"), "~"))
    if name == "echo":
        line = " ".join(words)
        strange = UNKNOWN in line or "\n" in line or re.match("-[neE]+(?: |$)", line)
        return UnknownOutput() if strange else Echo(line)
    return _file_effect(name, words, source, shell)


def _file_effect(name: str, words: Sequence[str], source: Sequence[str], shell: Shell) -> Effect:
    """Give the effect of a program that prints or searches files."""
    if name == "find":
        search = search_by_find(words, shell)
        return SearchFiles(search) if search else UnknownOutput()
    if reader := programs.READERS.get(name):
        return _reads(reader, words, source, shell)
    if searcher := programs.SEARCHERS.get(name):
        return _searches(searcher, words, source, shell)
    return UnknownOutput()


def _value(words: Sequence[str]) -> str:
    """Give the value of a variable, if it is one plain word wherever it is used."""
    value = " ".join(words)
    return UNKNOWN if len(value) > LONGEST_VALUE or set(value) & set(" \t\n*?[{}$") else value


def _reads(reader: Reader, words: Sequence[str], source: Sequence[str], shell: Shell) -> Effect:
    given = read_options(words, reader.valued)
    if given.options & reader.writes:
        return NoOutput()
    script = bool(reader.script) and not given.options & reader.script
    around = shell.around
    files = [around.below(path, shell.cwd) for path in given.operands[script:] or source]
    atoms = frozenset(atom for below in files if (atom := around.found(below)))
    paths = tuple(below or "" for below in files)
    if None in files or not files:
        return ReadFiles(atoms, files=paths)
    succeeds = all(below and around.is_file(below) for below in files)
    return ReadFiles(atoms, succeeds, paths)


def _searches(
    searcher: Searcher, words: Sequence[str], source: Sequence[str], shell: Shell
) -> Effect:
    given = read_options(words, searcher.valued)
    options, around = given.options, shell.around
    walks = searcher.walks or bool(options & programs.WALKING)
    paths = given.operands[not options & programs.PATTERN :] or source or ["."] * walks
    if options & programs.QUIET:
        return NoOutput()
    if options & searcher.other or not paths:
        return UnknownOutput()
    reached = [around.reach(path.partition(UNKNOWN)[0], shell.cwd) for path in paths]
    scopes = tuple(scope for scope in reached if scope is not None)
    search = Search(style_of(options), shell.cwd, scopes)
    if len(paths) == 1 and UNKNOWN not in paths[0] and not options & searcher.named:
        if not scopes and not walks:
            return UnknownOutput()  # the one file is elsewhere: its text comes without a name
        if scopes and around.is_file(scopes[0]):
            return SearchFiles(search, bare=True, one=around.found(scopes[0]))
    projects = {around.searched(scope) if scope else None for scope in reached if walks}
    known = frozenset(project for project in projects if project)
    hides = bool(options & searcher.bare)
    return SearchFiles(
        search, hides, projects=known if len(known) == len(projects) else frozenset()
    )
