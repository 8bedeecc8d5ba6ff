"""Answer a message by the rules of the grammar, without a model."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from cortexfs.core.chat.chat_event import ToolCompleted, ToolStarted
from cortexfs.core.chat.chat_message import ToolCall
from cortexfs.core.chat.parse_question import Vocabulary, parse_question
from cortexfs.operations.chat.answer_with_model import Answer
from cortexfs.operations.chat.list_tree_examples import list_tree_examples
from cortexfs.operations.chat.run_tool import run_tool
from cortexfs.operations.chat.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Generator

    from cortexfs.core.chat.chat_event import ChatEvent
    from cortexfs.operations.chat.chat_tool import ChatContext
    from cortexfs.session.session import Session


HELP_QUESTIONS = frozenset(("help", "hello", "hi", "what can you do", "what do you understand"))


def answer_by_grammar(context: ChatContext, question: str) -> Generator[ChatEvent, None, Answer]:
    """Yield the call of a tool, if a rule fits; return its result, or what is understood."""
    session = context.session
    names = Vocabulary(session.tree.list_projects(), [kind.name for kind in session.kinds])
    request = parse_question(question, names, session.clock().date())
    if request is None:
        return Answer(make_help(session, question))
    declared = {each.name for each in TOOLS[request.tool].parameters}
    args = {name: value for name, value in request.args.items() if name in declared}
    call = ToolCall(request.tool, str(uuid4()), args)
    yield ToolStarted(call)
    run = run_tool(context, call)
    yield ToolCompleted(run.call)
    return Answer(run.text, (run,))


def make_help(session: Session, question: str) -> str:
    """Return what the grammar understands, with an example of each."""
    questions, changes = (
        [f"- {example}" for example in examples] for examples in list_tree_examples(session)
    )
    is_asked_for = question.lower().strip(" ?!.") in HELP_QUESTIONS
    head = "Without a language model I understand questions such as"
    head = head if is_asked_for else f"I do not understand that. {head}"
    changing = "and changes, which I show before I make them:"
    return "\n".join([head, *questions, changing, *changes])
