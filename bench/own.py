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

from bench.engines import OURS, PLAIN, run
from bench.retrieval import pooled
from bench.scores import mean, table
from bench.sets import Asked, plant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bench.scores import Score

HERE = Path(__file__).resolve().parent
SAMPLE = HERE.parent / "sample-context"
MOST = 3
"""Questions about one module."""
LEAST = 5
"""Words of a sentence that asks for something."""
_ROOMS = re.compile(
    r"(__future__|this|antigravity|_.*|test|idlelib|lib2to3|site-packages|turtledemo|tkinter"
    r"|distutils|ensurepip|encodings|pydoc_data|config-.*|__pycache__)"
)
"""What is not on every machine, or says nothing."""


class Module(NamedTuple):
    """What a module says of itself, and of each of its functions and classes."""

    name: str
    about: str
    parts: tuple[tuple[str, str], ...]


def main() -> int:
    """Print a table a set; 1 where ours is worse than the engine alone."""
    worse = 0
    for name, runs in measured():
        print(f"\n{name}, {len(runs[OURS])} questions\n{table(runs)}")
        ours, plain = mean(runs[OURS]), mean(runs[PLAIN])
        worse += ours.recall_5 < plain.recall_5 or ours.mrr < plain.mrr
    return 1 if worse else 0


def measured() -> Iterator[tuple[str, dict[str, list[Score]]]]:
    """Ask the questions of each set."""
    every = [module for module in modules() if module.about and module.parts]
    for name, (texts, asked) in {
        "what a function does, to find its module": functions(every),
        "what a module is for, to find it by its functions": purposes(every),
    }.items():
        with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
            yield name, run(plant(texts, Path(place, "tree")), asked)
    yield "the sample tree, in other words", pooled([(SAMPLE, HERE / "sample.jsonl")])


def functions(every: Iterable[Module]) -> tuple[dict[str, str], list[Asked]]:
    """Ask with what functions do; the text of their modules lacks just these sentences."""
    dice, texts, asked = random.Random(7), {}, []
    for module in every:
        told = [
            first for _, said in module.parts if len((first := sentence(said)).split()) >= LEAST
        ]
        chosen = dice.sample(sorted(set(told)), min(MOST, len(set(told))))
        text = text_of(module)
        for each in chosen:
            text = text.replace(each, "")
        texts[module.name] = text
        asked += [Asked(each, (module.name,)) for each in chosen]
    return texts, asked


def purposes(every: Iterable[Module]) -> tuple[dict[str, str], list[Asked]]:
    """Ask with what modules are for; their texts are their functions alone."""
    every = list(every)
    texts = {module.name: text_of(module._replace(about="")) for module in every}
    said = {module.name: sentence(module.about) for module in every}
    return texts, [Asked(one, (name,)) for name, one in said.items() if len(one.split()) >= LEAST]


def modules() -> Iterator[Module]:
    """Read the standard library, in the order of its files."""
    library = Path(sysconfig.get_paths()["stdlib"])
    for path in sorted([*library.glob("*.py"), *library.glob("*/*.py")]):
        steps = path.relative_to(library).with_suffix("").parts
        name = ".".join(steps).removesuffix(".__init__")
        if not any(map(_ROOMS.fullmatch, name.split("."))):
            tree = ast.parse(path.read_bytes())
            yield Module(name, _flat(ast.get_docstring(tree)), tuple(_parts(tree)))


def text_of(module: Module) -> str:
    """Write a module as Markdown: its name, what it is for, a section a part."""
    parts = "".join(f"\n## {name}\n\n{said}\n" for name, said in module.parts)
    return f"# {module.name}\n\n{module.about}\n{parts}"


def sentence(said: str) -> str:
    """Give the first sentence of a text."""
    return re.split(r"(?<=[.:;])\s", said, maxsplit=1)[0]


def _parts(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            said = _flat(ast.get_docstring(node))
            if said and not node.name.startswith("_"):
                yield node.name, said


def _flat(said: str | None) -> str:
    return " ".join((said or "").split())


if __name__ == "__main__":
    sys.exit(main())
