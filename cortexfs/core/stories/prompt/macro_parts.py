"""What each macro of a story writes: lines in parts of a prompt, which share a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.settings.story_settings import Formatter
from cortexfs.core.stories.prompt.envelope import clean_text
from cortexfs.core.stories.prompt.prompt_format import quote_memory
from cortexfs.core.stories.prompt.prompt_parts import PartLines, PromptPart, make_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from cortexfs.core.settings.story_settings import StoryPromptSettings
    from cortexfs.core.stories.prompt.macros import MacroUse
    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.core.stories.recall.recall import Recall

    Parts = Mapping[PromptPart, PartLines]

WRITTEN_PARTS = {
    "entities": PromptPart.ENTITIES,
    "relationships": PromptPart.RELATIONS,
    "arc": PromptPart.ARC,
}
"""The macros that write a whole part: where they are used, `memories` leaves it out."""
MAX_COUNT = 100
_USAGES = {"speech": "Speech", "thought": "Thoughts", "narration": "Narration"}


class MacroSources(NamedTuple):
    """Where macros get what they write: each function is called only if a macro needs it.

    `find_entity` returns the entity with a name or alias, `is_active` whether there is a story with
    something to remember.
    """

    recall: Callable[[], Recall]
    find_entity: Callable[[str], KnownEntity | None]
    is_active: Callable[[], bool]
    settings: StoryPromptSettings
    formatter: Formatter


def make_macro_parts(sources: MacroSources, use: MacroUse, used: Collection[str]) -> Parts:
    """Return what a macro writes; nothing for one that has only a word, as `cortexActive`.

    `used` are the names of all macros of the template.
    """
    match use.name:
        case "memories":
            others = {WRITTEN_PARTS[name] for name in WRITTEN_PARTS.keys() & used}
            wanted = [part for part in PromptPart if part not in others]
            return make_parts(sources.recall(), sources.settings, sources.formatter, wanted)
        case "entities":
            return _make_clinical(sources, PromptPart.ENTITIES, use.argument)
        case "relationships":
            return _make_clinical(sources, PromptPart.RELATIONS, use.argument)
        case "cortexActive" | "entityCount":
            return {}
        case _:
            return _make_lines(sources, use)


def format_macro_word(sources: MacroSources, name: str) -> str:
    """Return what a macro writes that has only a word."""
    if name == "entityCount":
        return str(len(sources.recall().entities))
    return "yes" if sources.is_active() else "no"


def _make_lines(sources: MacroSources, use: MacroUse) -> Parts:
    heading = ""
    if use.name == "entityFacts":
        part, lines = PromptPart.ENTITIES, _list_facts(sources.find_entity(use.argument))
    elif use.name == "characterColors":
        part, heading = PromptPart.ENTITIES, "[Character Colors]"
        lines = list(_iter_colours(sources.recall()))
    elif use.name == "arc":
        part, lines = PromptPart.ARC, _list_arc(sources.recall())
    else:
        part, lines = PromptPart.MEMORIES, _list_raw(sources.recall(), use.name)
    return {part: PartLines(heading, tuple(lines))} if lines else {}


def _make_clinical(sources: MacroSources, part: PromptPart, count: str) -> Parts:
    """Return entities or relations as facts, at most `count` of them if that is a number."""
    is_number = count.isdecimal() and count.isascii()
    most = min(int(count[:9]), MAX_COUNT) if is_number else MAX_COUNT
    settings = sources.settings._replace(relationships=True)
    made = make_parts(sources.recall(), settings, Formatter.CLINICAL, (part,))
    return {key: PartLines("", each.lines[:most]) for key, each in made.items() if most}


def _list_raw(recall: Recall, name: str) -> list[str]:
    """Return what was said in all memories, or in the most salient one."""
    if name == "memorySalience":
        best = sorted(recall.memories, key=lambda each: -each.salience)[:1]
        return [quote_memory(each) for each in best]
    return [quote_memory(each, "\n") for each in recall.memories]


def _list_facts(entity: KnownEntity | None) -> list[str]:
    texts = (clean_text(fact.text) for fact in entity.facts) if entity else ()
    return list(filter(None, texts))


def _list_arc(recall: Recall) -> list[str]:
    return [f"[{clean_text(arc.title)}] {clean_text(arc.text)}" for arc in recall.arcs[-1:]]


def _iter_colours(recall: Recall) -> Iterator[str]:
    """Yield the colours of each character, as one item."""
    for entity in recall.entities:
        shown = [each for each in entity.colours if each.is_shown]
        if shown:
            uses = (f"- {_USAGES.get(each.usage, 'Speech')}: {each.colour}" for each in shown)
            yield "\n".join([f"**{clean_text(entity.name)}:**", *uses])
