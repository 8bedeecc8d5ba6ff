"""Which model the user's settings name, and why they name none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from for_each import for_each
from pages import page

from cortexfs.core.frontmatter.atom_text import parse_frontmatter
from cortexfs.core.language_model.model_settings import (
    InvalidModelSettings,
    ModelSettings,
    is_private_address,
    parse_model_settings,
)

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue

SERVER = {"endpoint": "http://localhost:11434/v1", "name": "llama3.2"}


def test_an_endpoint_has_the_path_of_chat_completions_and_defaults() -> None:
    settings = parse_model_settings(SERVER)
    assert settings == ModelSettings(
        endpoint="http://localhost:11434/v1/chat/completions", name="llama3.2"
    )
    assert (settings.timeout_s, settings.calls_per_day) == (60, 20)
    assert settings.label == "llama3.2 (localhost:11434)"
    whole = {**SERVER, "endpoint": "http://localhost:11434/v1/chat/completions"}
    assert parse_model_settings(whole) == settings


def test_a_command_is_a_list_of_words() -> None:
    settings = parse_model_settings(
        {
            "command": ("/usr/bin/llm", "-n"),
            "timeout": "2.5",
            "calls-per-day": "3",
            "insecure": "yes",
        }
    )
    assert settings == ModelSettings(
        command=("/usr/bin/llm", "-n"), timeout_s=2.5, calls_per_day=3, is_insecure_allowed=True
    )
    assert settings.label == "llm"


@for_each([{}, "", ()])
def test_no_settings_are_no_model(value: FrontmatterValue) -> None:
    assert parse_model_settings(value) is None


INVALID: list[tuple[FrontmatterValue, str]] = [
    ("llama", "not a list of settings"),
    ({**SERVER, "comand": "x"}, "model: no setting `comand` here"),
    ({"name": "x"}, "either `command` or `endpoint`"),
    ({**SERVER, "command": ("llm",)}, "either `command` or `endpoint`"),
    ({"endpoint": "http://localhost"}, "model.name is missing"),
    ({"command": "llm -n"}, "model.command is not a list"),
    ({"command": ("", "x")}, "model.command is not a list"),
    ({"command": (("llm",),)}, "model.command is not a list"),
    ({**SERVER, "endpoint": "localhost:11434"}, "begins with http"),
    ({**SERVER, "endpoint": "ftp://localhost"}, "begins with http"),
    ({**SERVER, "endpoint": "http://localhost:99999"}, "begins with http"),
    ({**SERVER, "endpoint": "http://local host"}, "begins with http"),
    ({**SERVER, "endpoint": "http://me:s3cret@localhost"}, "user, password"),
    ({**SERVER, "endpoint": "http://localhost?key=s3cret"}, "user, password"),
    ({**SERVER, "key-env": "sk-123"}, "model.key-env is not the name"),
    ({**SERVER, "pass-env": ("A=b",)}, "model.pass-env is not the name"),
    ({**SERVER, "timeout": "0"}, "model.timeout is not between"),
    ({**SERVER, "timeout": "soon"}, "model.timeout is not a number"),
    ({**SERVER, "calls-per-day": "-1"}, "`calls-per-day` must be a number from 0 to 10000"),
    ({**SERVER, "calls-per-day": "10001"}, "`calls-per-day` must be a number from 0 to 10000"),
    ({**SERVER, "insecure": "maybe"}, "model: `insecure` must be on or off"),
    ({**SERVER, "name": ("a",)}, "model.name is not a line"),
]


@for_each(INVALID)
def test_invalid_settings_are_explained_without_a_secret(
    case: tuple[FrontmatterValue, str],
) -> None:
    value, message = case
    invalid = parse_model_settings(value)
    assert isinstance(invalid, InvalidModelSettings)
    assert message in invalid.message
    assert "s3cret" not in invalid.message


@for_each(["127.0.0.1", "10.1.2.3", "192.168.1.9", "172.16.0.1", "::1", "fd00::1", "fe80::1%eth0"])
def test_plain_http_may_lead_to_this_machine_and_private_networks(address: str) -> None:
    assert is_private_address(address)


@for_each(["8.8.8.8", "100.64.0.1", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_every_other_address_is_public(address: str) -> None:
    assert not is_private_address(address)


EXAMPLES = re.findall(r"```yaml\n(.*?)```", page("docs/language-model.md"), re.DOTALL)


@for_each(EXAMPLES)
def test_the_examples_of_the_page_are_valid(example: str) -> None:
    parsed = parse_frontmatter(f"---\n{example}---\n")
    assert not parsed.flaws
    assert isinstance(parse_model_settings(parsed.fields["model"]), ModelSettings)


def test_claude_is_asked_without_settings_tools_and_transcript() -> None:
    (example,) = (example for example in EXAMPLES if "claude" in example)
    settings = parse_model_settings(parse_frontmatter(f"---\n{example}---\n").fields["model"])
    assert isinstance(settings, ModelSettings)
    words = settings.command
    assert words[words.index("--setting-sources") + 1] == ""
    assert words[words.index("--tools") + 1] == ""
    assert words[words.index("--max-turns") + 1] == "1"
    assert {"--no-session-persistence", "--strict-mcp-config", "-p"} <= {*words}
