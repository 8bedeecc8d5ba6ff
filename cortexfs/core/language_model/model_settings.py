"""Parse `model:` of the user's settings: which language model may be asked, how, and how often."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Never
from urllib.parse import urlsplit

from cortexfs.core.settings.setting_section import open_section
from cortexfs.core.text.sanitize import truncate_line

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.settings.setting_section import Keys

DEFAULT_TIMEOUT_S = 60
MIN_TIMEOUT_S, MAX_TIMEOUT_S = 0.1, 600
DEFAULT_CALLS_PER_DAY = 20
MAX_CALLS_PER_DAY = 10_000
MAX_MESSAGE_CHARS = 200
PATH_OF_CHAT = "/chat/completions"

_KEYS = (
    "command", "endpoint", "name", "key-env", "timeout", "calls-per-day", "insecure",
    "json-schema", "pass-env",
)  # fmt: skip
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}", re.ASCII)
_SECONDS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3})?", re.ASCII)


class ModelSettings(NamedTuple):
    """One model: either a command (program and arguments) or the URL of an endpoint."""

    command: tuple[str, ...] = ()
    endpoint: str = ""
    name: str = ""
    key_variable: str = ""
    timeout_s: float = DEFAULT_TIMEOUT_S
    calls_per_day: int = DEFAULT_CALLS_PER_DAY
    is_insecure_allowed: bool = False
    sends_schema: bool = True
    passed_variables: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """What messages and the log call the model: its name and program or host, no key."""
        place = (
            self.command[0].rpartition("/")[2] if self.command else urlsplit(self.endpoint).netloc
        )
        return truncate_line(f"{self.name} ({place})" if self.name else place, 80)


class InvalidModelSettings(NamedTuple):
    """The settings name a model, but it cannot be used; `message` says why."""

    message: str


class _Invalid(Exception):
    """One setting is invalid."""


def parse_model_settings(value: FrontmatterValue) -> ModelSettings | InvalidModelSettings | None:
    """Return the settings of the model, or None if none is configured. Never raises."""
    if not value:
        return None
    if not isinstance(value, Mapping):
        return InvalidModelSettings("model is not a list of settings, such as `endpoint: URL`")
    try:
        return _parse(value)
    except _Invalid as error:
        return InvalidModelSettings(str(error))


def find_url_flaw(url: str) -> str:
    """Return why a text is not the address of a model's server; empty if it is one."""
    try:
        parts = urlsplit(url)
        is_url = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_url = False
    if not is_url or re.search(r"[^!-~]", url):
        return "is not an address that begins with http:// or https://"
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        return "holds a user, password, query or fragment; see key-env"
    return ""


def is_private_address(address: str) -> bool:
    """Return whether an IP address is this machine's or belongs to a private network."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        return ip.ipv4_mapped.is_private
    return ip.is_private


def _parse(fields: Mapping[str, FrontmatterValue]) -> ModelSettings:
    section = open_section(fields, "model", _KEYS, _refuse)
    settings = ModelSettings(
        command=_parse_list(fields, "command"),
        endpoint=_parse_endpoint(_parse_text(fields, "endpoint")),
        name=_parse_text(fields, "name"),
        key_variable=_parse_variable("key-env", _parse_text(fields, "key-env")),
        timeout_s=_parse_timeout(fields),
        calls_per_day=section.read_number(
            "calls-per-day", DEFAULT_CALLS_PER_DAY, 0, MAX_CALLS_PER_DAY
        ),
        is_insecure_allowed=section.read_switch("insecure", default=False),
        sends_schema=section.read_switch("json-schema"),
        passed_variables=tuple(
            _parse_variable("pass-env", name) for name in _parse_list(fields, "pass-env")
        ),
    )
    if bool(settings.command) == bool(settings.endpoint):
        raise _Invalid("model needs either `command` or `endpoint`")
    if settings.endpoint and not settings.name:
        raise _Invalid("model.name is missing: an endpoint serves several models")
    return settings


def _refuse(message: str, _: Keys) -> Never:
    raise _Invalid(f"model: {truncate_line(message, MAX_MESSAGE_CHARS)}")


def _parse_text(fields: Mapping[str, FrontmatterValue], key: str) -> str:
    value = fields.get(key, "")
    if not isinstance(value, str) or not value.isprintable():
        raise _Invalid(f"model.{key} is not a line of text")
    return value.strip()


def _parse_list(fields: Mapping[str, FrontmatterValue], key: str) -> tuple[str, ...]:
    value = fields.get(key) or ()
    words = tuple(word for word in value if isinstance(word, str) and "\0" not in word)
    if not isinstance(value, tuple) or len(words) != len(value) or words[:1] == ("",):
        raise _Invalid(f"model.{key} is not a list, such as `[ollama, run, llama3.2]`")
    return words


def _parse_endpoint(url: str) -> str:
    """Return the address of chat completions."""
    if not url:
        return ""
    if flaw := find_url_flaw(url):
        raise _Invalid(f"model.endpoint {flaw}")
    is_complete = urlsplit(url).path.endswith(PATH_OF_CHAT)
    return url if is_complete else url.rstrip("/") + PATH_OF_CHAT


def _parse_variable(key: str, name: str) -> str:
    if name and not _VARIABLE.fullmatch(name):
        raise _Invalid(f"model.{key} is not the name of an environment variable")
    return name


def _parse_timeout(fields: Mapping[str, FrontmatterValue]) -> float:
    value = fields.get("timeout", str(DEFAULT_TIMEOUT_S))
    if not isinstance(value, str) or not _SECONDS.fullmatch(value):
        raise _Invalid("model.timeout is not a number of seconds")
    if not MIN_TIMEOUT_S <= float(value) <= MAX_TIMEOUT_S:
        raise _Invalid(f"model.timeout is not between {MIN_TIMEOUT_S} and {MAX_TIMEOUT_S}")
    return float(value)
