"""Sets whose texts have sessions, links and an order, from what is installed on a machine.

In `docstrings` each docstring of Python's standard library is an atom, a session is a module, and a
question is a sentence that was taken out of a docstring. In `functions` each function is an atom
that links to those it calls, a session is a class, and a question is what its docstring begins
with. In `manual pages` each sentence is an atom, like a turn of a conversation: a session is some
paragraphs of a page, and a sentence that was taken out of a paragraph asks for the others. In
`changelogs` each entry of Debian's is an atom, a session is a release, and a question is a few
words of an entry; many entries have the same words.
"""

from __future__ import annotations

import ast
import gzip
import random
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.own import MIN_WORDS, first_sentence, list_module_files
from bench.sets import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MAX_QUESTIONS = 300
"""Maximum number of questions about one set."""
MAX_ATOMS = 1500
"""Number of atoms after which no more modules, pages or files are read."""
MAX_PAGES = 3
"""Maximum number of manual pages of one program."""
PARAGRAPHS = 12
"""Number of paragraphs of a session of a manual page."""
MANUALS, CHANGELOGS = Path("/usr/share/man"), Path("/usr/share/doc")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`'\"(])")
_PARAGRAPH_MACRO = re.compile(r"[.'](S[HSsh]|[LIH]?P|TP|sp|Pp|It)\b")
_TEXT_MACRO = re.compile(r"[.'](?:[BI]|BR|IR|RB|RI|BI|IB|SM|SB)\s")
_ESCAPE = re.compile(r"\\f(\[[^\]]*\]|\(..|.)|\\\(..|\\\[[^\]]*\]|\\s[-+]?\d|\\&|\"")
_RELEASE = re.compile(r"(\S+ \([^)]+\)) ")


class Text(NamedTuple):
    """The text of an atom, its session, and the names of the atoms that it links to."""

    body: str
    session: str
    links: tuple[str, ...] = ()


class TextSet(NamedTuple):
    """Texts by name, in order, and questions about them."""

    texts: dict[str, Text]
    questions: list[Question]


def read_docstrings() -> TextSet:
    """Return docstrings, from half of which a sentence was taken out."""
    rng, texts, questions = random.Random(7), dict[str, Text](), list[Question]()
    for module, tree, _ in _iter_modules():
        if len(texts) > MAX_ATOMS:
            break
        for node in ast.walk(tree):
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
                continue
            sentences = _SENTENCE_END.split(" ".join((ast.get_docstring(node) or "").split()))
            taken = rng.randrange(len(sentences))
            name = f"{module}:{getattr(node, 'lineno', 0)}"
            rest = " ".join(sentences[:taken] + sentences[taken + 1 :])
            if len(sentences[taken].split()) >= MIN_WORDS and len(rest.split()) >= MIN_WORDS:
                questions.append(Question(sentences[taken], (name,)))
                texts[name] = Text(rest, module)
            elif sentences != [""]:
                texts[name] = Text(" ".join(sentences), module)
    return _draw(texts, questions)


def read_functions() -> TextSet:
    """Return functions without their docstrings, with links to those that they call."""
    texts, questions = dict[str, Text](), list[Question]()
    for module, tree, source in _iter_modules():
        if len(texts) > MAX_ATOMS:
            break
        functions = [(node, owner) for node, owner in _iter_functions(tree, module)]
        by_name = defaultdict[str, list[str]](list)
        for node, _ in functions:
            by_name[node.name].append(f"{module}:{node.lineno}")
        for node, owner in functions:
            name = f"{module}:{node.lineno}"
            called = {other for each in _iter_called(node) for other in by_name.get(each, ())}
            body = _cut_docstring(node, source)
            texts[name] = Text(body, owner, tuple(sorted(called - {name})))
            question = first_sentence(" ".join((ast.get_docstring(node) or "").split()))
            if len(question.split()) >= MIN_WORDS:
                questions.append(Question(question, (name,)))
    return _draw(texts, questions)


def read_manual_sentences() -> TextSet:
    """Return sentences of manual pages, from some paragraphs of which one was taken out."""
    rng, texts, questions = random.Random(7), dict[str, Text](), list[Question]()
    for path in _list_pages(rng):
        if len(texts) > MAX_ATOMS:
            break
        for place, paragraph in enumerate(_read_paragraphs(path)):
            sentences = [each for each in _SENTENCE_END.split(paragraph) if len(each.split()) > 3]
            names = [f"{path.name}:{place}:{n}" for n in range(len(sentences))]
            session = f"{path.name}:{place // PARAGRAPHS}"
            if len(sentences) > 1 and rng.random() < 0.5:
                taken = rng.randrange(len(sentences))
                question = sentences.pop(taken)
                names.pop(taken)
                questions.append(Question(question, tuple(names)))
            found = zip(names, sentences, strict=True)
            texts |= {name: Text(sentence, session) for name, sentence in found}
    return _draw(texts, questions)


def read_changelogs() -> TextSet:
    """Return entries of changelogs; a question has four words of one."""
    rng, texts, questions = random.Random(7), dict[str, Text](), list[Question]()
    for path in sorted(CHANGELOGS.glob("*/changelog.Debian.gz")):
        if len(texts) > MAX_ATOMS:
            break
        for place, (release, entry) in enumerate(_read_entries(path)):
            name, words = f"{path.parent.name}:{place}", re.findall(r"\w+", entry)
            texts[name] = Text(entry, release)
            if len(words) > 2 * MIN_WORDS:
                questions.append(Question(" ".join(rng.sample(words, 4)), (name,)))
    return _draw(texts, questions)


SETS: dict[str, Callable[[], TextSet]] = {
    "docstrings": read_docstrings,
    "functions": read_functions,
    "manual pages": read_manual_sentences,
    "changelogs": read_changelogs,
}


def _draw(texts: dict[str, Text], questions: list[Question]) -> TextSet:
    asked = random.Random(7).sample(questions, min(MAX_QUESTIONS, len(questions)))
    return TextSet(texts, asked)


def _iter_modules() -> Iterator[tuple[str, ast.Module, list[str]]]:
    """Yield the modules of the standard library, with the lines of their sources."""
    for name, path in list_module_files():
        source = path.read_bytes()
        yield name, ast.parse(source), source.decode(errors="replace").splitlines()


def _iter_functions(tree: ast.AST, owner: str) -> Iterator[tuple[ast.FunctionDef, str]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield node, owner
        elif isinstance(node, ast.ClassDef):
            yield from _iter_functions(node, f"{owner}.{node.name}")


def _cut_docstring(function: ast.FunctionDef, source: list[str]) -> str:
    start, end = function.lineno - 1, function.end_lineno
    if not ast.get_docstring(function):
        return "\n".join(source[start:end])
    first, last = function.body[0].lineno, function.body[0].end_lineno
    return "\n".join(source[start : first - 1] + source[last:end])


def _iter_called(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def _list_pages(rng: random.Random) -> list[Path]:
    """Return manual pages in English, a few of each program, in an order drawn by chance."""
    pages, counts = list[Path](), Counter[str]()
    for path in sorted(MANUALS.glob("man[1578]/*.gz")):
        program = re.split(r"[-_.]", path.name)[0]
        counts[program] += 1
        if counts[program] <= MAX_PAGES and not path.is_symlink():
            pages.append(path)
    rng.shuffle(pages)
    return pages


def _read_paragraphs(path: Path) -> list[str]:
    """Return the paragraphs of a manual page, without its formatting."""
    paragraphs = [""]
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if _PARAGRAPH_MACRO.match(line):
                paragraphs.append("")
            elif line[0] not in ".'" or _TEXT_MACRO.match(line):
                text = _TEXT_MACRO.sub("", line).replace("\\-", "-").replace("\\(aq", "'")
                paragraphs[-1] += _ESCAPE.sub("", text)
    joined = (" ".join(paragraph.split()) for paragraph in paragraphs)
    return [paragraph for paragraph in joined if paragraph]


def _read_entries(path: Path) -> list[tuple[str, str]]:
    """Return the entries of a changelog with their releases."""
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as lines:
        return [(release, entry) for release, entry in _iter_entries(lines) if " " in entry]


def _iter_entries(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    release = entry = ""
    for line in lines:
        if not line.startswith("    "):
            yield release, entry
            entry = line.strip(" *\n") if line.startswith("  *") else ""
            release = found[1] if (found := _RELEASE.match(line)) else release
        else:
            entry += f" {line.strip()}"
    yield release, entry
