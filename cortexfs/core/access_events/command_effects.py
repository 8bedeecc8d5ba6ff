"""The effect of one simple command, as far as its words determine it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.access_events import shell_programs
from cortexfs.core.access_events.command_options import ASSIGNMENT, parse_options, unwrap_program
from cortexfs.core.access_events.find_and_xargs import infer_find_search
from cortexfs.core.access_events.search_output import FileSearch, parse_output_mode
from cortexfs.core.access_events.shell_parser import UnclearCommand
from cortexfs.core.access_events.shell_words import UNKNOWN, ShellState, expand_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.access_events.shell_parser import ShellCommand
    from cortexfs.core.access_events.shell_programs import PrintProgram, SearchProgram
    from cortexfs.core.access_events.shown_atom_types import AtomFileName


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """Prints the text of `paths`, of which `atoms` are atoms.

    `succeeds` is None if unknown. In `paths`, a path outside the tree is "". `is_filtered` means
    that
    only part of the text is printed, `keeps_whole_lines` that the printed lines are unchanged.
    """

    atoms: frozenset[AtomFileName]
    succeeds: bool | None = None
    paths: tuple[str, ...] = ()
    is_filtered: bool = False
    keeps_whole_lines: bool = False


@dataclass(frozen=True, slots=True)
class SearchFiles:
    """Prints the matching lines, each with its file name unless `hides_names`.

    `only_atom` is the atom if exactly one file was searched; `projects` are the projects whose
    folders of atoms were searched.
    """

    search: FileSearch
    hides_names: bool = False
    only_atom: AtomFileName | None = None
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
_FIXED_RESULTS = {"true": True, ":": True, "false": False}
"""Whether a program succeeds, where that is known."""


def infer_effect(command: ShellCommand, shell: ShellState) -> Effect:
    """Return the effect of a command. Raises UnclearCommand if its words expand to too many."""
    words = list(command.words)
    variables = {}
    while words and (
        words[0] in shell_programs.ASSIGNMENT_PROGRAMS or ASSIGNMENT.fullmatch(words[0])
    ):
        if found := ASSIGNMENT.fullmatch(words.pop(0)):
            variables[found[1]] = _format_value(expand_word(found[2], shell))
    if not words:
        return SetVariables(variables)
    name, rest = unwrap_program(expand_words(words, shell))
    effect = _infer_program_effect(
        name, rest, expand_words(filter(None, [command.input_file]), shell), shell
    )
    return NoOutput() if command.is_redirected and not isinstance(effect, ChangeDir) else effect


MAX_EXPANDED_WORDS = 5000
MAX_EXPANDED_CHARS = 256 * 1024
"""Limits for all words of one command together, after expansion."""


def expand_words(words: Iterable[str], shell: ShellState) -> list[str]:
    """Return the expanded words. Raises UnclearCommand if they are too many or too long."""
    expanded: list[str] = []
    characters = 0
    for word in words:
        expansions = expand_word(word, shell)
        expanded += expansions
        characters += sum(map(len, expansions))
        if len(expanded) > MAX_EXPANDED_WORDS or characters > MAX_EXPANDED_CHARS:
            raise UnclearCommand
    return expanded


def _infer_program_effect(
    name: str, words: Sequence[str], input_files: Sequence[str], shell: ShellState
) -> Effect:
    if name in shell_programs.SILENT_PROGRAMS:
        return NoOutput(_FIXED_RESULTS.get(name))
    if name in {"cd", "pushd"}:
        return ChangeDir(next((word for word in words if word == "-" or word[:1] != "-"), "~"))
    if name == "echo":
        line = " ".join(words)
        is_unclear = UNKNOWN in line or "\n" in line or re.match("-[neE]+(?: |$)", line)
        return UnknownOutput() if is_unclear else Echo(line)
    return _infer_file_effect(name, words, input_files, shell)


def _infer_file_effect(
    name: str, words: Sequence[str], input_files: Sequence[str], shell: ShellState
) -> Effect:
    """Return the effect of a program that prints or searches files."""
    if name == "find":
        search = infer_find_search(words, shell)
        return SearchFiles(search) if search else UnknownOutput()
    if printer := shell_programs.PRINT_PROGRAMS.get(name):
        return _infer_print_effect(printer, words, input_files, shell)
    if searcher := shell_programs.SEARCH_PROGRAMS.get(name):
        return _infer_search_effect(searcher, words, input_files, shell)
    return UnknownOutput()


def _format_value(words: Sequence[str]) -> str:
    """Return the value of a variable, or `UNKNOWN` unless it expands to one plain word."""
    value = " ".join(words)
    return UNKNOWN if len(value) > MAX_VALUE_CHARS or set(value) & set(" \t\n*?[{}$") else value


def _infer_print_effect(
    program: PrintProgram, words: Sequence[str], input_files: Sequence[str], shell: ShellState
) -> Effect:
    options, operands = parse_options(words, program.value_options)
    if options & program.write_options:
        return NoOutput()
    has_script = bool(program.script_options) and not options & program.script_options
    resolver = shell.resolver
    files = [
        resolver.to_tree_path(path, shell.cwd) for path in operands[has_script:] or input_files
    ]
    atoms = frozenset(atom for file in files if (atom := resolver.find_atom(file)))
    paths = tuple(file or "" for file in files)
    if None in files or not files:
        return ReadFiles(atoms, paths=paths)
    succeeds = all(file and resolver.is_file(file) for file in files)
    return ReadFiles(atoms, succeeds, paths)


def _infer_search_effect(
    program: SearchProgram, words: Sequence[str], input_files: Sequence[str], shell: ShellState
) -> Effect:
    options, operands = parse_options(words, program.value_options)
    if options & shell_programs.QUIET_OPTIONS:
        return NoOutput()
    is_recursive = program.is_recursive or bool(options & shell_programs.RECURSIVE_OPTIONS)
    has_pattern = not options & shell_programs.PATTERN_OPTIONS
    paths = operands[has_pattern:] or input_files or ["."] * is_recursive
    if options & program.other_output_options or not paths:
        return UnknownOutput()
    find_scope = shell.resolver.find_covered_path
    reached = [find_scope(path.partition(UNKNOWN)[0], shell.cwd) for path in paths]
    scopes = tuple(scope for scope in reached if scope is not None)
    search = FileSearch(parse_output_mode(options), shell.cwd, scopes)
    if len(paths) == 1 and UNKNOWN not in paths[0] and not options & program.show_name_options:
        if not scopes and not is_recursive:
            return UnknownOutput()  # one file outside the tree: its lines come without a name
        if scopes and shell.resolver.is_file(scopes[0]):
            atom = shell.resolver.find_atom(scopes[0])
            return SearchFiles(search, hides_names=True, only_atom=atom)
    projects = _find_searched_projects(reached, shell) if is_recursive else frozenset()
    return SearchFiles(search, bool(options & program.hide_name_options), projects=projects)


def _find_searched_projects(scopes: Sequence[str | None], shell: ShellState) -> frozenset[str]:
    """Return the projects of the searched folders; none unless each is a folder of atoms."""
    found = [shell.resolver.find_searched_project(scope) if scope else None for scope in scopes]
    projects = frozenset(project for project in found if project)
    return projects if all(found) else frozenset()
