"""Render the bulletin of a project, or of the tree, in its current state."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.bulletin.measure_text import make_token_budget, make_word_budget
from cortexfs.core.bulletin.render_bulletin import EMPTY_BULLETIN
from cortexfs.errors import Usage
from cortexfs.operations.shared.gather_bulletin import gather_tree_state, render_bulletins
from cortexfs.operations.shared.resolve_names import require_project

if TYPE_CHECKING:
    from cortexfs.core.bulletin.measure_text import Budget
    from cortexfs.core.bulletin.render_bulletin import Bulletin
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MIN_TOKENS, MAX_TOKENS = 50, 20_000
"""The range of a budget in tokens."""


_LEFT_OUT = "Nothing to show: the project is archived, or `brief:` in cortexfs.yaml leaves it out."


class Brief(NamedTuple):
    """A bulletin, the project that it is about (empty: the tree), and its budget."""

    project: str
    bulletin: Bulletin
    budget: Budget
    is_left_out: bool = False

    @property
    def text(self) -> str:
        """The bulletin, or why there is none."""
        return self.bulletin.text or (_LEFT_OUT if self.is_left_out else "Nothing to show.")


def brief(session: Session, project: str = "", tokens: int | None = None) -> Brief:
    """Return the bulletin of a project, or without a name of the tree.

    Its length is that of the settings, or at most `tokens` tokens. Raises `NoSuchProject`. A
    project that the settings leave out, or that is archived, has an empty bulletin.
    """
    with session.read(drain=True) as view:
        if project:
            require_project(view, project)
        budget = _make_budget(view, tokens)
        state = gather_tree_state(view)
        is_left_out = bool(project) and project not in state.projects
        rendered = render_bulletins(view, state, [] if is_left_out else [project], budget)
    return Brief(project, rendered.get(project, EMPTY_BULLETIN), budget, is_left_out)


def _make_budget(view: View, tokens: int | None) -> Budget:
    if tokens is None:
        return make_word_budget(view.settings.brief.words)
    if not MIN_TOKENS <= tokens <= MAX_TOKENS:
        raise Usage(f"a budget takes {MIN_TOKENS} to {MAX_TOKENS} tokens")
    return make_token_budget(tokens, view.find_token_counter())
