"""Measure what the surroundings of atoms gain: `python -m bench.context`.

The sets come from Python's standard library. In `docstrings` each docstring is an atom, a session
is a module, and a question is a sentence that was taken out of a docstring. In `functions` each
function is an atom that links to those it calls, and a question is what its docstring begins with.
The sets are laid out as people do: sessions, atoms that link to the same one, or numbers in order.
In the controls, sessions, links and numbers are drawn by chance: these must change nothing.
"""

from __future__ import annotations

import ast
import json
import random
import re
import sys
import tempfile
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.engines import make_find, score_search
from bench.own import MIN_WORDS, first_sentence, list_module_files
from bench.scores import compare_runs, mean_score
from bench.sets import Question, SearchSet, open_tree
from cortexfs.core.find import score_context

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bench.scores import Score

MAX_QUESTIONS = 800
"""Maximum number of questions about one set."""
MAX_ATOMS = 3000
"""Maximum number of atoms of a set, whole modules."""
MAX_LOSS = 0.005
"""The recall@5 and MRR that a layout may lose: half a point."""
WITH, WITHOUT = "with context", "without"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`'\"(])")


class Text(NamedTuple):
    """The text of an atom, its session, and the names of the atoms that it links to."""

    body: str
    session: str
    links: tuple[str, ...] = ()


class TextSet(NamedTuple):
    """Texts by name, in order, and questions about them."""

    texts: dict[str, Text]
    questions: list[Question]


class Layout(NamedTuple):
    """What a tree has of the structure of a set; `is_random` if it is drawn by chance."""

    has_sessions: bool = False
    has_session_links: bool = False
    has_links: bool = False
    has_order: bool = False
    is_random: bool = False


LAYOUTS = {
    "docstrings": {
        "no structure": Layout(),
        "sessions": Layout(has_sessions=True),
        "links to a session": Layout(has_session_links=True),
        "order": Layout(has_order=True),
        "sessions and order": Layout(has_sessions=True, has_order=True),
        "control: sessions and order": Layout(has_sessions=True, has_order=True, is_random=True),
        "control: links to a session": Layout(has_session_links=True, is_random=True),
    },
    "functions": {
        "links to what is called": Layout(has_links=True),
        "links and order": Layout(has_links=True, has_order=True),
        "classes and order": Layout(has_sessions=True, has_order=True),
        "control: links": Layout(has_links=True, is_random=True),
    },
}


def main() -> int:
    """Print recall@5 and MRR of each layout; return 1 if one loses more than `MAX_LOSS`."""
    worse = 0
    for name, texts in {"docstrings": read_docstrings(), "functions": read_functions()}.items():
        print(f"\n{name}: {len(texts.texts)} atoms, {len(texts.questions)} questions")
        for layout_name, layout in LAYOUTS[name].items():
            with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
                runs = score_layout(lay_out(texts, layout, Path(place, "tree")), texts.questions)
            after, before = mean_score(runs[WITH]), mean_score(runs[WITHOUT])
            print(f"{layout_name:28}{compare_runs(runs, WITH, WITHOUT)}", flush=True)
            gain = min(after.recall_5 - before.recall_5, after.mrr - before.mrr)
            worse += gain < -MAX_LOSS
    return 1 if worse else 0


def score_layout(searched: SearchSet, questions: list[Question]) -> dict[str, list[Score]]:
    """Score the questions with and without what surrounds the atoms."""
    find = make_find(searched.session)
    runs = {WITH: score_search(find, searched.names, questions)}
    with set_weight(0.0):
        runs[WITHOUT] = score_search(find, searched.names, questions)
    return runs


@contextmanager
def set_weight(weight: float) -> Iterator[None]:
    """Give surroundings another weight for a while."""
    before = score_context.CONTEXT_WEIGHT
    score_context.CONTEXT_WEIGHT = weight
    try:
        yield
    finally:
        score_context.CONTEXT_WEIGHT = before


def lay_out(texts: TextSet, layout: Layout, root: Path) -> SearchSet:
    """Make a tree with the structure of a layout, and none besides."""
    rng, names = random.Random(7), list(texts.texts)
    shuffled = rng.sample(names, len(names))
    numbers = {name: n for n, name in enumerate(names if layout.has_order else shuffled, 1)}
    like = dict(zip(names, rng.sample(names, len(names)), strict=True))
    if not layout.is_random:
        like = dict(zip(names, names, strict=True))
    else:
        numbers = {name: numbers[like[name]] for name in names}
    folder = root / "projects/set/observations"
    folder.mkdir(parents=True)
    (root / "CORTEX.md").write_text("# Set\n")
    sessions = {text.session: n for n, text in enumerate(texts.texts.values(), 1)}
    paths = {}
    for name, text in texts.texts.items():
        place = texts.texts[like[name]]
        fields = {"session": f"s{sessions[place.session]}"} if layout.has_sessions else {}
        links = [f"SES-{sessions[place.session]:03d}"] if layout.has_session_links else []
        if layout.has_links:
            links = [f"OBS-{numbers[other]:03d}" for other in place.links if other in numbers]
        path = f"projects/set/observations/OBS-{numbers[name]:03d}.md"
        (root / path).write_text(format_observation(numbers[name], text.body, fields, links))
        paths[path] = name
    return SearchSet(open_tree(root), paths, {})


def format_observation(
    number: int, body: str, fields: Mapping[str, str], links: Iterable[str]
) -> str:
    """Return an observation with some fields and links."""
    more = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return (
        f"---\nid: OBS-{number:03d}\ndate: 2026-01-01\nproject: set\nsummary: ''\ntags: []\n"
        f"type: manual\nlinks: {json.dumps(list(links))}\n{more}---\n\n{body}\n"
    )


def read_docstrings() -> TextSet:
    """Return docstrings, from half of which a sentence was taken out."""
    rng, texts, questions = random.Random(7), dict[str, Text](), list[Question]()
    for module, tree, _ in iter_modules():
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
    return TextSet(texts, rng.sample(questions, min(MAX_QUESTIONS, len(questions))))


def read_functions() -> TextSet:
    """Return functions without their docstrings, with links to those that they call."""
    rng, texts, questions = random.Random(7), dict[str, Text](), list[Question]()
    for module, tree, source in iter_modules():
        if len(texts) > MAX_ATOMS:
            break
        functions = [(node, owner) for node, owner in _iter_functions(tree, module)]
        by_name = defaultdict[str, list[str]](list)
        for node, _ in functions:
            by_name[node.name].append(f"{module}:{node.lineno}")
        for node, owner in functions:
            docstring = " ".join((ast.get_docstring(node) or "").split())
            name = f"{module}:{node.lineno}"
            called = {other for each in _iter_called(node) for other in by_name.get(each, ())}
            links = tuple(sorted(called - {name}))
            lines = source[node.lineno - 1 : node.end_lineno]
            if docstring:
                first, last = node.body[0].lineno, node.body[0].end_lineno or 0
                lines = source[node.lineno - 1 : first - 1] + source[last : node.end_lineno]
            texts[name] = Text("\n".join(lines), owner, links)
            question = first_sentence(docstring)
            if len(question.split()) >= MIN_WORDS:
                questions.append(Question(question, (name,)))
    return TextSet(texts, rng.sample(questions, min(MAX_QUESTIONS, len(questions))))


def iter_modules() -> Iterator[tuple[str, ast.Module, list[str]]]:
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


def _iter_called(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "attr", "") or getattr(node.func, "id", "")


if __name__ == "__main__":
    sys.exit(main())
