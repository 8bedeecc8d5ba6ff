"""The question before a change: its plan is shown, and nothing happens without an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Button, Input, Label, Static

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.errors import CortexError
from cortexfs.interfaces.tui.change import Answers, Change, ChangeResult
from cortexfs.interfaces.tui.failure import describe_failure
from cortexfs.interfaces.tui.shown_content import Cell, Tone
from cortexfs.interfaces.tui.shown_text import clean_line, line
from cortexfs.interfaces.tui.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from cortexfs.interfaces.tui.change import Field

    Run = Callable[[Change, Answers, ExecutionMode], Awaitable[ChangeResult]]

PAUSE_S = 0.15
"""Seconds without a key before the plan is made again."""


class AnswerField(Input):
    """The answer to a question before a change."""

    BINDINGS: ClassVar[list[BindingType]] = [("enter", "screen.next", "Next")]


class ChangeDialog(ModalScreen[ChangeResult | None]):
    """Asks what a change needs, shows its plan, and makes it when the person agrees."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "cancel", "Cancel"),
        ("tab", "next", "Next"),
        ("y", "apply", "Apply"),
        ("n", "cancel", "Cancel"),
    ]

    def __init__(self, change: Change, key: str, run: Run) -> None:
        super().__init__()
        self.change, self.key, self.run = change, key, run
        self._is_ready = self.is_applying = False

    def compose(self) -> ComposeResult:
        """Yield the questions, the plan and the two answers."""
        with Vertical(classes="dialog"):
            title = f"{self.change.label} {clean_line(self.key)}".strip()
            yield Static(title, classes="title", markup=False, id="title")
            for field in self.change.fields:
                yield self._make_field(field)
            yield TextView(id="plan")
            with Horizontal(classes="buttons"):
                yield Button("Apply (y)", id="apply", compact=True, disabled=True)
                yield Button("Cancel (Esc)", id="cancel", compact=True)

    def _make_field(self, field: Field) -> Horizontal:
        suggester = SuggestFromList(field.choices) if field.choices else None
        hint = "required" if field.is_required else "optional"
        typed = AnswerField(id=f"field-{field.name}", placeholder=hint, suggester=suggester)
        return Horizontal(Label(field.label), typed, classes="field")

    def on_mount(self) -> None:
        """Plan at once, if nothing has to be answered before."""
        self._plan_later()
        self.set_focus(self.query_one("Input" if self.change.fields else "#plan"))

    def on_input_changed(self, _: Input.Changed) -> None:
        """Plan again after a pause."""
        if not self.is_applying:
            self._plan_later()

    def action_next(self) -> None:
        """Take what is suggested, and go on to the next field or to the plan."""
        if isinstance(self.focused, Input):
            self.focused.action_cursor_right()
        self.focus_next()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Take the answer."""
        if event.button.id == "apply":
            self.action_apply()
        else:
            self.action_cancel()

    def action_cancel(self) -> None:
        """Change nothing; a change that is being made is waited for."""
        if not self.is_applying:
            self.dismiss(None)

    def action_apply(self) -> None:
        """Make the change, if its plan is shown."""
        if self._is_ready:
            self._set_ready(is_ready=False)
            self._set_applying(is_applying=True)
            self._apply()

    def _plan_later(self) -> None:
        self._set_ready(is_ready=False)
        self._plan()

    def _read_answers(self) -> Answers:
        typed = {
            f.name: self.query_one(f"#field-{f.name}", Input).value for f in self.change.fields
        }
        return Answers(self.key, typed)

    @work(exclusive=True, group="plan")
    async def _plan(self) -> None:
        from asyncio import sleep

        await sleep(PAUSE_S if self.change.fields else 0)
        answers, view = self._read_answers(), self.query_one("#plan", TextView)
        missing = [f.label for f in self.change.fields if f.is_required and not answers.get(f.name)]
        choices = next((f.choices for f in self.change.fields if f.choices), ())
        if missing:
            hint = Cell(f"one of: {', '.join(choices)}", Tone.MUTED) if choices else Cell("")
            view.show_lines([line(f"{missing[0]} is missing"), line(hint)])
            return
        try:
            planned = await self.run(self.change, answers, ExecutionMode.DRY_RUN)
        except (CortexError, OSError) as error:
            view.show_lines(describe_failure(error))
            return
        self.query_one("#title", Static).update(clean_line(planned.message))
        nothing = (line(Cell("nothing to change", Tone.MUTED)),)
        view.show_lines(planned.lines or nothing)
        self._set_ready(is_ready=planned.is_change)

    @work(exclusive=True, group="plan")
    async def _apply(self) -> None:
        try:
            done = await self.run(self.change, self._read_answers(), ExecutionMode.COMMIT)
        except (CortexError, OSError) as error:
            self.query_one("#plan", TextView).show_lines(describe_failure(error))
            self._set_applying(is_applying=False)
        else:
            self.dismiss(done)

    def _set_ready(self, *, is_ready: bool) -> None:
        self._is_ready = is_ready
        self.query_one("#apply", Button).disabled = not is_ready

    def _set_applying(self, *, is_applying: bool) -> None:
        """Let nothing be answered while the change is made: it would be another one."""
        self.is_applying = is_applying
        self.set_focus(self.query_one("#plan"))
        for widget in self.query("AnswerField, #cancel"):
            widget.disabled = is_applying
