"""The effect of one simple command, as far as its words determine it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.access_events import shell_programs
from cortexfs.core.access_events.command_options import ASSIGNMENT, parse_options, unwrap_program
from cortexfs.core.access_events.find_and_xargs import search_by_find
from cortexfs.core.access_events.search_output import FileSearch, parse_output_mode
from cortexfs.core.access_events.shell_parser import UnclearCommand
from cortexfs.core.access_events.shell_words import UNKNOWN, ShellState, expand_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.access_events.shell_parser import ShellCommand
    from cortexfs.core.access_events.shell_programs import PrintProgram, SearchProgram
    from cortexfs.core.access_events.shown_atoms import AtomFile


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """Prints the text of `paths`, of which `atoms` are atoms.

    `succeeds` is None if unknown. In `paths`, a path outside the tree is "". `is_filtered` means
    that
    only part of the text is printed; `keeps_whole_lines` that the printed lines are unchanged.
    """

    atoms: frozenset[AtomFile]
    succeeds: bool | None = None
    paths: tuple[str, ...] = ()
    is_filtered: bool = False
    keeps_whole_lines: bool = False


@dataclass(frozen=True, slots=True)
class SearchFiles:
    """Prints the matching lines, each with its file name unless `hides_names`.

    `only_atom` is the atom if exactly one file was searched; `projects` are the projects whose
    folders
    of atoms were searched.
    """

    search: FileSearch
    hides_names: bool = False
    only_atom: AtomFile | None = None
    projects: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Echo:
    """Prints one line given in the command.

    `is_certain` is False if the command may not have run.
    """

    text: str
    is_certain: bool = True


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
    """Prints nothing; `succeeds` is None if unknown."""

    succeeds: bool | None = None


@dataclass(frozen=True, slots=True)
class UnknownOutput:
    """Prints something that cannot be determined from the command."""


Effect = ReadFiles | SearchFiles | Echo | ChangeDir | SetVariables | NoOutput | UnknownOutput

MAX_VALUE_CHARS = 4096
"""Maximum characters of a variable: `a=$a$a` doubles it, and no path is longer."""
_RESULTS = {"true": True, ":": True, "false": False}


def infer_effect(command: ShellCommand, shell: ShellState) -> Effect:
    """Return the effect of a command. Raises UnclearCommand if its words expand to too many."""
    words = list(command.words)
    sets = {}
    while words and (words[0] in shell_programs.SETTERS or ASSIGNMENT.fullmatch(words[0])):
        if found := ASSIGNMENT.fullmatch(words.pop(0)):
            sets[found[1]] = _value(expand_word(found[2], shell))
    if not words:
        return SetVariables(sets)
    name, rest = unwrap_program(expand_words(words, shell))
    done = _effect_of(name, rest, expand_words(filter(None, [command.input_file]), shell), shell)
    return NoOutput() if command.is_redirected and not isinstance(done, ChangeDir) else done


MAX_EXPANDED_WORDS = 5000
MAX_EXPANDED_CHARS = 256 * 1024
"""Limits for all words of one command together, after expansion."""


def expand_words(words: Iterable[str], shell: ShellState) -> list[str]:
    """Return the expanded words. Raises UnclearCommand if they are too many or too long."""
    done: list[str] = []
    characters = 0
    for word in words:
        found = expand_word(word, shell)
        done += found
        characters += sum(map(len, found))
        if len(done) > MAX_EXPANDED_WORDS or characters > MAX_EXPANDED_CHARS:
            raise UnclearCommand
    return done


def _effect_of(name: str, words: Sequence[str], source: Sequence[str], shell: ShellState) -> Effect:
    if name in shell_programs.SILENT_PROGRAMS:
        return NoOutput(_RESULTS.get(name))
    if name in {"cd", "pushd"}:
        return ChangeDir(next((word for word in words if word == "-" or word[:1] != "-"), "~"))
    if name == "echo":
        line = " ".join(words)
        strange = UNKNOWN in line or "\n" in line or re.match("-[neE]+(?: |$)", line)
        return UnknownOutput() if strange else Echo(line)
    return _file_effect(name, words, source, shell)


def _file_effect(
    name: str, words: Sequence[str], source: Sequence[str], shell: ShellState
) -> Effect:
    """Return the effect of a program that prints or searches files."""
    if name == "find":
        search = search_by_find(words, shell)
        return SearchFiles(search) if search else UnknownOutput()
    if reader := shell_programs.PRINT_PROGRAMS.get(name):
        return _reads(reader, words, source, shell)
    if searcher := shell_programs.SEARCH_PROGRAMS.get(name):
        return _searches(searcher, words, source, shell)
    return UnknownOutput()


def _value(words: Sequence[str]) -> str:
    """Return the value of a variable, or `UNKNOWN` unless it expands to one plain word."""
    value = " ".join(words)
    return UNKNOWN if len(value) > MAX_VALUE_CHARS or set(value) & set(" \t\n*?[{}$") else value


def _reads(
    reader: PrintProgram, words: Sequence[str], source: Sequence[str], shell: ShellState
) -> Effect:
    given = parse_options(words, reader.value_options)
    if given.options & reader.write_options:
        return NoOutput()
    script = bool(reader.script_options) and not given.options & reader.script_options
    around = shell.resolver
    files = [around.relative_path(path, shell.cwd) for path in given.operands[script:] or source]
    atoms = frozenset(atom for below in files if (atom := around.find_atom(below)))
    paths = tuple(below or "" for below in files)
    if None in files or not files:
        return ReadFiles(atoms, paths=paths)
    succeeds = all(below and around.is_file(below) for below in files)
    return ReadFiles(atoms, succeeds, paths)


def _searches(
    searcher: SearchProgram, words: Sequence[str], source: Sequence[str], shell: ShellState
) -> Effect:
    given = parse_options(words, searcher.value_options)
    options, around = given.options, shell.resolver
    walks = searcher.is_recursive or bool(options & shell_programs.RECURSIVE_OPTIONS)
    paths = (
        given.operands[not options & shell_programs.PATTERN_OPTIONS :] or source or ["."] * walks
    )
    if options & shell_programs.QUIET_OPTIONS:
        return NoOutput()
    if options & searcher.other_output_options or not paths:
        return UnknownOutput()
    reached = [around.covered_path(path.partition(UNKNOWN)[0], shell.cwd) for path in paths]
    scopes = tuple(scope for scope in reached if scope is not None)
    search = FileSearch(parse_output_mode(options), shell.cwd, scopes)
    if len(paths) == 1 and UNKNOWN not in paths[0] and not options & searcher.show_name_options:
        if not scopes and not walks:
            return UnknownOutput()  # the one file is elsewhere: its text comes without a name
        if scopes and around.is_file(scopes[0]):
            return SearchFiles(search, hides_names=True, only_atom=around.find_atom(scopes[0]))
    projects = {
        around.find_searched_project(scope) if scope else None for scope in reached if walks
    }
    known = frozenset(project for project in projects if project)
    hides = bool(options & searcher.hide_name_options)
    return SearchFiles(
        search, hides, projects=known if len(known) == len(projects) else frozenset()
    )
