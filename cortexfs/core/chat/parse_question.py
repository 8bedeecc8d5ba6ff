"""From a question to the tool that answers it, by the rules of the grammar; no model is needed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.chat.correct_word import correct_word
from cortexfs.core.chat.grammar_rules import (
    EDGE_WORDS,
    FILLERS,
    RULES,
    SAVE_EXAMPLE,
    TASK_EXAMPLE,
    TOOL_WORDS,
    Need,
    split_words,
)
from cortexfs.core.chat.parse_period import find_period

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import date

    from cortexfs.core.chat.grammar_rules import Rule

MAX_WORDS = 60
"""Maximum number of words of a question; a longer text is only understood if it is to be saved."""

_WORD = re.compile(r"[^\s,;!?()\"“”]+")
_ENDS = ".:'`*\u2019"
_REF = re.compile(r"(?i)(?:([a-z0-9][a-z0-9._-]{0,63})/)?([a-z]{1,8}-[0-9]{3,}[a-z]?)|#[0-9]{1,12}")
_ID = re.compile(r"(?=[0-9a-f]*[0-9])[0-9a-f]{7,40}")
_SAVE = re.compile(
    r"(?i)(?:(?:please|can|could|you)\s+)*(?:save|remember|memori[sz]e|note|store|keep in mind)"
    r"(?=[\s:,])(?:\s+(?:this|that|down|the fact|as a memory)(?=[\s:,]|$))*"
    r"(?:\s+(?:in|for)\s+(?P<project>[\w.-]+)\s*:)?\s*[:,-]?"
)
"""What stands before a text to be saved."""
_TASK = re.compile(
    r"(?i)(?:(?:please|can|could|you)\s+)*(?:add|new|create|make)\s+(?:an?\s+|new\s+)*(?:task|todo)"
    r"(?:\s+(?:in|for|to)\s+(?P<project>[\w.-]+)\s*(?=:))?\s*[:,-]?"
)
_TASK_ID = re.compile(r"(?:[a-z0-9][a-z0-9._-]{0,63}/)?([0-9a-f]{4})")
_REASON = re.compile(r"(?is)\b(?:because|reason)\b[:\s]*(.+)")
_NAMES_OF_NEEDS = {
    Need.REF: "ref",
    Need.SECOND_REF: "by",
    Need.PROJECT: "project",
    Need.KIND: "kind",
    Need.ID: "id",
    Need.TASK: "task",
}
_YES, _NO = frozenset(("yes", "y")), frozenset(("no", "n"))


class Vocabulary(NamedTuple):
    """The names of a tree that questions have: its projects, and its kinds."""

    projects: Collection[str] = ()
    kinds: Collection[str] = ()


class ToolRequest(NamedTuple):
    """The tool that answers a question, with its arguments as text."""

    tool: str
    args: Mapping[str, str]


class _Question(NamedTuple):
    """A question: its words as typed and folded, and what they name."""

    typed: tuple[str, ...]
    words: tuple[str, ...]
    args: dict[str, str]
    is_named: tuple[bool, ...]
    """Whether a word belongs to a name or time, and so to no query."""


def parse_confirmation(text: str) -> bool | None:
    """Return whether a message says yes or no, and nothing else; None for any other."""
    word = text.strip().rstrip(".!").lower()
    return True if word in _YES else False if word in _NO else None


def parse_question(text: str, names: Vocabulary, today: date) -> ToolRequest | None:
    """Return what a question asks for; None if no rule fits it.

    Words with an error of typing count if a rule then fits better than any without them.
    """
    if added := _parse_content(text, names):
        return added
    question = _read_question(text, names, today)
    if len(question.words) > MAX_WORDS:
        return None
    fits = _match_rules(question, text)
    fits += ((score - 1, request) for score, request in _match_rules(_correct(question), text))
    return max(fits, key=lambda fit: fit[0])[1] if fits else None


def list_examples(*, of_changes: bool) -> list[str]:
    """Return an example of each request for a change, or else of each question."""
    rules = (rule for rule in RULES if rule.example and (Need.VERB in rule.needs) == of_changes)
    return [
        *([SAVE_EXAMPLE, TASK_EXAMPLE] if of_changes else []),
        *(rule.example for rule in rules),
    ]


def _parse_content(text: str, names: Vocabulary) -> ToolRequest | None:
    """Return the request to save a text, or to add a task; a question, and one word, is none."""
    text = text.strip()
    for tool, argument, pattern in (
        ("task_add", "text", _TASK),
        ("memory_save", "content", _SAVE),
    ):
        found = pattern.match(text)
        content = text[found.end() :].lstrip() if found else ""
        if not found or text.endswith("?") or len(content.split(maxsplit=2)) < 2:  # noqa: PLR2004 - one word says nothing
            continue
        project = (found["project"] or "").lower()
        if not project or project in names.projects:
            args = {argument: content} | ({"project": project} if project else {})
            return ToolRequest(tool, args)
    return None


def _read_question(text: str, names: Vocabulary, today: date) -> _Question:
    args: dict[str, str] = {}
    period = find_period(text, today)
    if period:
        args["since"] = period.since
    start, end = (period.start, period.end) if period else (0, 0)
    typed: list[str] = []
    words: list[str] = []
    named: list[bool] = []
    for found in _WORD.finditer(text):
        word = found[0].strip(_ENDS)
        if len(words) > MAX_WORDS or not word:
            continue
        typed.append(found[0])
        words.append(word.lower())
        is_task = words[-2:-1] == ["task"]
        named.append(_read_name(word, names, args, is_task=is_task) or start <= found.start() < end)
    if "project" in args and "ref" in args and args["ref"][:1] != "#" and "/" not in args["ref"]:
        args["ref"] = f"{args['project']}/{args['ref']}"
    return _Question(tuple(typed), tuple(words), args, tuple(named))


def _read_name(word: str, names: Vocabulary, args: dict[str, str], *, is_task: bool) -> bool:
    """Return whether a word is a name: the first ref, id, project or kind becomes an argument.

    The id of a task has a digit, unless the word before says that it is one.
    """
    if found := _REF.fullmatch(word):
        project = f"{found[1]}/" if found[1] else ""
        ref = f"{project}{found[2].upper()}" if found[2] else word
        args.setdefault("by" if "ref" in args else "ref", ref)
        return True
    folded = word.lower()
    if (task := _TASK_ID.fullmatch(folded)) and (is_task or not task[1].isalpha()):
        args.setdefault("task", folded)
        return is_task  # else it may be any number
    if _ID.fullmatch(folded):
        args.setdefault("id", folded)
        return True
    kinds = () if folded in split_words(TOOL_WORDS) else names.kinds
    for name, known in (("project", names.projects), ("kind", kinds)):
        if found_name := next((each for each in _singulars(folded) if each in known), ""):
            args.setdefault(name, found_name)
            return name == "project"
    return False


def _singulars(word: str) -> tuple[str, ...]:
    return (word, word.removesuffix("s"), word.removesuffix("es"))


def _match_rules(question: _Question, text: str) -> list[tuple[int, ToolRequest]]:
    """Return the requests of the rules that fit, each with how many groups and names it has."""
    return [fit for rule in RULES if (fit := _match_rule(rule, question, text))]


def _match_rule(rule: Rule, question: _Question, text: str) -> tuple[int, ToolRequest] | None:
    """Return how well a rule fits, and its request; None if it does not."""
    groups = [split_words(group) for group in rule.groups]
    wanted = [name for need, name in _NAMES_OF_NEEDS.items() if need in rule.needs]
    if not _has_needed_words(rule, question, groups):
        return None
    if not all(name in question.args for name in wanted):
        return None
    args = {**question.args, **dict(rule.fixed)}
    if Need.TASK not in rule.needs:
        args.pop("task", "")
    if rule.rest:
        kind = question.args["kind"] if Need.KIND in rule.needs else ""
        args[rule.rest] = _join_rest(question, groups, kind)
        if not args[rule.rest]:
            return None
    if reason := _REASON.search(text):
        args["reason"] = reason[1].strip()
    score = 2 * len(groups) + 2 * len(wanted) + (Need.VERB in rule.needs)
    return score, ToolRequest(rule.tool, args)


def _has_needed_words(rule: Rule, question: _Question, groups: list[frozenset[str]]) -> bool:
    """Return whether a question has a word of each group, and begins with the verb of a change."""
    words = question.words
    if not all(any(word in group for word in words) for group in groups):
        return False
    if Need.VERB not in rule.needs:
        return True
    return next((word for word in words if word not in split_words(FILLERS)), "") in groups[0]


def _join_rest(question: _Question, groups: list[frozenset[str]], kind: str) -> str:
    """Return the words of a query, as typed: without those of the rule, names, and fillers.

    The word that names the kind (or empty) is left out too.
    """
    used = set().union(*groups)
    rest = [
        (typed.strip(_ENDS), word)
        for typed, word, is_named in zip(
            question.typed, question.words, question.is_named, strict=True
        )
        if word not in used and not is_named and kind not in _singulars(word)
    ]
    while rest and rest[0][1] in split_words(EDGE_WORDS):
        rest.pop(0)
    while rest and rest[-1][1] in split_words(EDGE_WORDS):
        rest.pop()
    return " ".join(typed for typed, _ in rest)


def _correct(question: _Question) -> _Question:
    """Return a question whose unknown words are those of the grammar that they resemble."""
    words = (
        word if is_named else correct_word(word)
        for word, is_named in zip(question.words, question.is_named, strict=True)
    )
    return question._replace(words=tuple(words))
