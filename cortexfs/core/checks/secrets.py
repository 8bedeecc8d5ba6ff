"""Find keys and tokens in a text with the rules of detect-secrets, before they are committed."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cortexfs.core.changes.plan import Plan

    Finder = Callable[[str], Iterable[str]]


class SecretRule(NamedTuple):
    """One kind of secret: its name, its pattern, and the library's rule for it.

    `required_text` is a string that every match of `pattern` contains in lower case: few texts have
    it, and testing for it is several times as fast as the pattern. Only a match of the pattern is
    given to the library: without one the library is not even imported (a seventh of a second).
    Without a library rule the pattern alone decides.
    """

    description: str
    required_text: str
    pattern: str
    plugin_module: str = ""
    plugin_class: str = ""


SECRET_RULES = (
    SecretRule(
        "a private key",
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:\\n|\s|[\w-]{1,20}: [^\n]{0,99}\n){1,9}[A-Za-z0-9+/=]{20}",
        "private_key",
        "PrivateKeyDetector",
    ),
    SecretRule(
        "a password in an address",
        "://",
        r"://[^/\s:@]{1,64}:(?!(?i:pass(?:word|wd)?|pwd?|secret|token|key|changeme)@)"
        r"[^/\s@<>{}$*%\[\]]{3,99}@",
        "basic_auth",
        "BasicAuthDetector",
    ),
    SecretRule("a key of AWS", "a", r"A(?:KIA|SIA|BIA|CCA|3T)[A-Z0-9]{9}", "aws", "AWSKeyDetector"),
    SecretRule(
        "a secret of AWS", "aws", r"(?i:aws).{0,40}?['\"][\w/+]{40}['\"]", "aws", "AWSKeyDetector"
    ),
    SecretRule(
        "a key of Azure",
        "accountkey=",
        r"AccountKey=\w",
        "azure_storage_key",
        "AzureStorageKeyDetector",
    ),
    SecretRule(
        "a token of Discord",
        ".",
        r"\.[\w-]{6}\.[\w-]{27}",
        "discord",
        "DiscordBotTokenDetector",
    ),
    SecretRule(
        "a token of GitHub", "gh", r"gh[pousr]_\w{36}", "github_token", "GitHubTokenDetector"
    ),
    SecretRule("a token of GitHub", "github_pat_", r"github_pat_\w{60}"),
    SecretRule(
        "a token of GitLab",
        "gl",
        r"gl[a-z]{2,4}-[\w-]{20}",
        "gitlab_token",
        "GitLabTokenDetector",
    ),
    SecretRule(
        "a token of GitLab",
        "gr1348941",
        r"GR1348941[\w-]{20}",
        "gitlab_token",
        "GitLabTokenDetector",
    ),
    SecretRule("a JSON web token", "eyj", r"eyJ[\w=-]{9,499}+\.[\w=-]", "jwt", "JwtTokenDetector"),
    SecretRule("a key of Anthropic", "sk-ant-", r"sk-ant-[a-z]{3,9}\d\d-[\w-]{40}"),
    SecretRule("a key of Google", "aiza", r"AIza[\w-]{35}(?![\w-])"),
    SecretRule("a token of Hugging Face", "hf_", r"hf_[A-Za-z]{34}\b"),
    SecretRule("a key of Mailchimp", "-us", r"-us\d", "mailchimp", "MailchimpDetector"),
    SecretRule(
        "a token of npm",
        "/:_authtoken=",
        r"//[^\n]{1,99}/:_authToken=\s{0,9}\w",
        "npm",
        "NpmDetector",
    ),
    SecretRule("a token of npm", "npm_", r"npm_[A-Za-z0-9]{36}\b"),
    SecretRule(
        "a key of OpenAI", "t3blbkfj", r"sk-[\w-]{20,199}T3BlbkFJ", "openai", "OpenAIDetector"
    ),
    SecretRule("a token of PyPI", "pypi-age", r"pypi-AgE", "pypi_token", "PypiTokenDetector"),
    SecretRule("a key of SendGrid", "sg.", r"SG\.[\w-]{22}\.", "sendgrid", "SendGridDetector"),
    SecretRule("a token of Slack", "xox", r"xox[abpors]-\d", "slack", "SlackDetector"),
    SecretRule(
        "a token of Slack",
        "hooks.slack.com/services/",
        r"hooks\.slack\.com/services/",
        "slack",
        "SlackDetector",
    ),
    SecretRule("a token of Square", "sq0csp-", r"sq0csp-\w", "square_oauth", "SquareOAuthDetector"),
    SecretRule("a key of Stripe", "k_live_", r"[rs]k_live_\w", "stripe", "StripeDetector"),
    SecretRule(
        "a token of Telegram", ":", r":[\w-]{35}", "telegram_token", "TelegramBotTokenDetector"
    ),
    SecretRule("a key of Twilio", "sk", r"SK[a-z0-9]{32}\b", "twilio", "TwilioKeyDetector"),
    SecretRule("a key of Twilio", "ac", r"AC[a-z0-9]{32}\b", "twilio", "TwilioKeyDetector"),
)
"""The rules that recognize a secret by its form. Rules that guess, from entropy or from a word
such as `password` nearby, are not used: in prose they are mostly wrong."""

MAX_MATCHES = 100
"""Maximum matches checked per rule and text: hostile text must not take minutes."""
_CHARS_BEFORE, _CHARS_AFTER = 64, 400
_HINT = "remove it; a line with `<!-- pragma: allowlist secret -->` may contain it"
_MIN_DISTINCT_CHARS = 6
"""Minimum distinct characters among the last 16 of a secret; `xxxxxxxx` has fewer."""
_ALLOWED_LINE = re.compile(r"pragma: ?allowlist[ -]secret\b")
_ALLOWED_NEXT_LINE = re.compile(r"pragma: ?allowlist[ -]nextline[ -]secret\b")


def find_secrets(text: str) -> tuple[Flaw, ...]:
    """Return a flaw for each secret in a text, in order.

    A line with `pragma: allowlist secret` in a comment is skipped, and so is the line below
    `pragma: allowlist nextline secret`.
    """
    found = {(flaw.line, flaw.message): flaw for flaw, _ in _find_all(text)}
    return tuple(found[place] for place in sorted(found))


def find_new_secrets(text: str, before: str) -> tuple[Flaw, ...]:
    """Return a flaw for each secret in a text that is not in its previous text."""
    found = {flaw.line: flaw for flaw, secret in _find_all(text) if secret not in before}
    return tuple(found[line] for line in sorted(found))


def find_secrets_in_bytes(content: bytes) -> tuple[Flaw, ...]:
    """Return a flaw for each secret in a file that need not be text; UTF-16 is read too."""
    text = content.decode("ascii", "replace")
    return find_secrets(text) or (find_secrets(text.replace("\0", "")) if "\0" in text else ())


def refuse_secrets(text: str) -> None:
    """Raise `Refused` if a text to be written contains a secret."""
    for flaw in find_secrets(text)[:1]:
        raise Refused(
            f"line {flaw.line}: {flaw.message}, and git would keep it forever",
            hint=_HINT,
        )


def refuse_new_secrets(plan: Plan) -> None:
    """Raise `Refused` if a plan adds a secret that its files do not already contain."""
    known = [write.expected_text or "" for write in plan.writes]
    known += [remove.expected_text or "" for remove in plan.removes]
    texts = {"the message": plan.message}
    texts |= {write.path: write.text for write in plan.writes if not write.is_derived}
    for where, text in texts.items():
        for flaw, secret in _find_all(text):
            if not any(secret in before for before in known):
                raise Refused(
                    f"{where}: line {flaw.line}: {flaw.message}, and git would keep it forever",
                    hint=_HINT,
                )


def refuse_uncommitted_secrets(path: str, text: str, committed: str) -> None:
    """Raise `Refused` if a file contains a secret that its committed text does not."""
    for flaw in find_new_secrets(text, committed)[:1]:
        raise Refused(
            f"{path}:{flaw.line}: {flaw.message}, and git would keep it forever",
            hint=_HINT,
        )


def redact(text: str) -> str:
    """Return a text with `[secret]` in place of each secret and the rest of its word."""
    for found in sorted({secret for _, secret in _find_all(text)}, key=len, reverse=True):
        text = re.sub(rf"{re.escape(found)}[\w+/=.-]*", "[secret]", text)
    return text


def _find_all(text: str) -> Iterator[tuple[Flaw, str]]:
    lowered = text.lower()
    return (
        found
        for rule in SECRET_RULES
        if rule.required_text in lowered
        for found in _match_rule(rule, text)
    )


def _match_rule(rule: SecretRule, text: str) -> Iterator[tuple[Flaw, str]]:
    for match in islice(_compile_pattern(rule.pattern).finditer(text), MAX_MATCHES):
        start = text.rfind("\n", 0, match.start()) + 1
        at, end = match.start() - start, text.find("\n", match.start())
        line = text[start : end if end >= 0 else None]
        above = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : start]
        if _ALLOWED_LINE.search(line) or _ALLOWED_NEXT_LINE.search(above):
            continue
        piece = line[max(0, at - _CHARS_BEFORE) : at + _CHARS_AFTER]
        secrets = list(_load_finder(rule)(piece)) if rule.plugin_module else [match[0]]
        longest = max([match[0], *secrets], key=len)
        if secrets and not _is_example(longest):
            column = max(line.find(longest), 0) or at
            row = text.count("\n", 0, match.start()) + 1
            yield Flaw("secret", rule.description, row, column + 1), longest


def _is_example(secret: str) -> bool:
    return "example" in secret.lower() or len(set(secret[-16:])) < _MIN_DISTINCT_CHARS


@cache
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def _load_finder(rule: SecretRule) -> Finder:
    """Return the function that finds secrets in a line; it does not verify them online."""
    plugins = import_module(f"detect_secrets.plugins.{rule.plugin_module}")
    found: Finder = getattr(plugins, rule.plugin_class)().analyze_string
    return found
