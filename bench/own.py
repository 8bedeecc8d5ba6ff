"""Measure the search quality of `find` on our own sets: `python -m bench.own`.

Two sets come from the docstrings of Python's standard library: each module becomes an atom, and
a question is a sentence that was taken out of it. The third was written by hand for the sample
tree, in words that its atoms do not contain (`bench/sample.jsonl`).
"""

from __future__ import annotations

import ast
import random
import re
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.engines import LARGE, OURS, PLAIN, score_engines
from bench.retrieval import score_sets
from bench.scores import format_table, mean_score
from bench.sets import Question, build_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bench.scores import Score

HERE = Path(__file__).resolve().parent
SAMPLE = HERE.parent / "sample-context"
MAX_QUESTIONS = 3
"""Maximum number of questions about one module."""
MIN_WORDS = 5
"""Minimum number of words of a question."""
_EXCLUDED = re.compile(
    r"(__future__|this|antigravity|_.*|test|idlelib|lib2to3|site-packages|turtledemo|tkinter"
    r"|distutils|ensurepip|encodings|pydoc_data|config-.*|__pycache__)"
)
"""Modules that are not on every machine, or have no useful docstrings."""


class Module(NamedTuple):
    """A module: its docstring, and those of its functions and classes by name."""

    name: str
    about: str
    parts: tuple[tuple[str, str], ...]


def main() -> int:
    """Print a table for each set; return 1 if `find` is worse than plain FTS5."""
    worse = 0
    for name, runs in score_own_sets():
        print(f"\n{name}, {len(runs[OURS])} questions\n{format_table(runs)}")
        plain = mean_score(runs[PLAIN])
        for ours in (mean_score(runs[each]) for each in (OURS, LARGE) if each in runs):
            worse += ours.recall_5 < plain.recall_5 or ours.mrr < plain.mrr
    return 1 if worse else 0


def score_own_sets() -> Iterator[tuple[str, dict[str, list[Score]]]]:
    """Yield the scores of each set."""
    every = [module for module in read_modules() if module.about and module.parts]
    for name, (texts, questions) in {
        "what a function does, to find its module": make_function_set(every),
        "what a module is for, to find it by its functions": make_purpose_set(every),
    }.items():
        with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
            yield name, score_engines(build_set(texts, Path(place, "tree")), questions)
    yield "the sample tree, in other words", score_sets([(SAMPLE, HERE / "sample.jsonl")])


def make_function_set(every: Iterable[Module]) -> tuple[dict[str, str], list[Question]]:
    """Ask with first sentences of docstrings, which are removed from the texts of their modules."""
    rng, texts, questions = random.Random(7), {}, []
    for module in every:
        sentences = [
            first
            for _, docstring in module.parts
            if len((first := first_sentence(docstring)).split()) >= MIN_WORDS
        ]
        chosen = rng.sample(sorted(set(sentences)), min(MAX_QUESTIONS, len(set(sentences))))
        text = format_module(module)
        for each in chosen:
            text = text.replace(each, "")
        texts[module.name] = text
        questions += [Question(each, (module.name,)) for each in chosen]
    return texts, questions


def make_purpose_set(every: Iterable[Module]) -> tuple[dict[str, str], list[Question]]:
    """Ask with the first sentences of modules; their texts have only their functions."""
    every = list(every)
    texts = {module.name: format_module(module._replace(about="")) for module in every}
    docstring = {module.name: first_sentence(module.about) for module in every}
    return texts, [
        Question(one, (name,)) for name, one in docstring.items() if len(one.split()) >= MIN_WORDS
    ]


def read_modules() -> Iterator[Module]:
    """Read the standard library, in the order of its files."""
    for name, path in list_module_files():
        tree = ast.parse(path.read_bytes())
        yield Module(name, _join_lines(ast.get_docstring(tree)), tuple(_list_docstrings(tree)))


def list_module_files() -> Iterator[tuple[str, Path]]:
    """Yield the names and files of the modules of the standard library."""
    library = Path(sysconfig.get_paths()["stdlib"])
    for path in sorted([*library.glob("*.py"), *library.glob("*/*.py")]):
        steps = path.relative_to(library).with_suffix("").parts
        name = ".".join(steps).removesuffix(".__init__")
        if not any(map(_EXCLUDED.fullmatch, name.split("."))):
            yield name, path


def format_module(module: Module) -> str:
    """Return a module as Markdown: its name, its docstring, a section for each part."""
    parts = "".join(f"\n## {name}\n\n{docstring}\n" for name, docstring in module.parts)
    return f"# {module.name}\n\n{module.about}\n{parts}"


def first_sentence(docstring: str) -> str:
    """Return the first sentence of a text."""
    return re.split(r"(?<=[.:;])\s", docstring, maxsplit=1)[0]


def _list_docstrings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            docstring = _join_lines(ast.get_docstring(node))
            if docstring and not node.name.startswith("_"):
                yield node.name, docstring


def _join_lines(docstring: str | None) -> str:
    return " ".join((docstring or "").split())


if __name__ == "__main__":
    sys.exit(main())
