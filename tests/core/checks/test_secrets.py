"""Keys and tokens are found by their form; what only speaks of them is not."""

from __future__ import annotations

import base64
import json
import random
import string
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.checks.secrets import SECRET_RULES, find_secrets, refuse_secrets
from cortexfs.errors import Refused

SAMPLE = Path(__file__).parents[3] / "sample-context"
LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def _draw(length: int, alphabet: str = LETTERS) -> str:
    return "".join(random.Random(length).choices(alphabet, k=length))  # noqa: S311 - always the same


def _encode(part: dict[str, str]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")


KEY = "-----BEGIN {} PRIVATE KEY{}-----\n{}" + _draw(64) + "\n"
TOKENS = {
    "AKIA" + _draw(16, string.ascii_uppercase): "a key of AWS",
    f"aws_secret_access_key = '{_draw(40)}'": "a secret of AWS",
    f"AccountKey={_draw(86)}==": "a key of Azure",
    f"postgres://bob:{_draw(12)}@db/x": "a password in an address",
    f"M{_draw(23)}.{_draw(6)}.{_draw(27)}": "a token of Discord",
    f"ghp_{_draw(36)}": "a token of GitHub",
    f"github_pat_{_draw(22)}_{_draw(59)}": "a token of GitHub",
    f"glpat-{_draw(20)}": "a token of GitLab",
    f"{_encode({'alg': 'HS256'})}.{_encode({'sub': 'ada'})}.{_draw(43)}": "a JSON web token",
    f"sk-ant-api03-{_draw(93)}": "a key of Anthropic",
    f"AIza{_draw(35)}": "a key of Google",
    f"hf_{_draw(34, string.ascii_letters)}": "a token of Hugging Face",
    f"{_draw(32, HEX)}-us12": "a key of Mailchimp",
    f"//npm.example/:_authToken={_draw(8, HEX)}-0000-4000-8000-{_draw(12, HEX)}": (
        "a token of npm"
    ),
    f"npm_{_draw(36)}": "a token of npm",
    f"sk-{_draw(20)}T3BlbkFJ{_draw(21)}": "a key of OpenAI",
    f"pypi-AgEIcHlwaS5vcmc{_draw(80)}": "a token of PyPI",
    f"SG.{_draw(22)}.{_draw(43)}": "a key of SendGrid",
    f"xoxb-{_draw(12, string.digits)}-{_draw(24)}": "a token of Slack",
    f"https://hooks.slack.com/services/T{_draw(8)}/B{_draw(8)}/{_draw(24)}": ("a token of Slack"),
    f"sq0csp-{_draw(43)}": "a token of Square",
    f"sk_live_{_draw(24)}": "a key of Stripe",
    f"{_draw(9, '123456789')}:{_draw(35)}": "a token of Telegram",
    f"SK{_draw(32, HEX)}": "a key of Twilio",
    KEY.format("RSA", "", ""): "a private key",
    KEY.format("OPENSSH", "", ""): "a private key",
    KEY.format("PGP", " BLOCK", "Version: 2\n\n"): "a private key",
}


@pytest.mark.parametrize("token", TOKENS, ids=lambda token: TOKENS[token])
def test_a_secret_is_reported_with_its_line_and_not_repeated(token: str) -> None:
    text = f"# Notes\n\nThe night's run used {token} and went well.\n"
    (found,) = find_secrets(text)
    assert (found.code, found.line) == ("secret", 3)
    assert found.message == TOKENS[token]


def test_every_rule_has_an_example() -> None:
    assert {rule.description for rule in SECRET_RULES} == set(TOKENS.values())


@given(st.data())
def test_every_match_of_a_rule_contains_its_required_text(
    data: st.DataObject,
) -> None:
    rule = data.draw(st.sampled_from(SECRET_RULES))
    assert rule.required_text in data.draw(st.from_regex(rule.pattern)).lower()


@pytest.mark.parametrize(
    "text",
    [
        "Put the key into AWS_ACCESS_KEY_ID, such as AKIAIOSFODNN7EXAMPLE.",
        "Tokens begin with ghp_ or github_pat_, e.g. ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "postgres://user:password@localhost/db and redis://:${PASSWORD}@host, http://a:<pw>@h",
        "A file that begins with -----BEGIN RSA PRIVATE KEY----- is a key.",
        "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "commit 3f9a6c1e8b2d4f705a1c9e3b7d6f08142a5c8e90",
        "password: see the vault; token = none; api_key=os.environ['API_KEY']",
        "4f0b6c1e-83a2-4c57-9e44-2a7c90d1f6b3",
        "ssh://git@example.org:2222/repo.git",
    ],
)
def test_text_about_secrets_is_not_a_secret(text: str) -> None:
    assert find_secrets(text) == ()


def test_an_allowlist_comment_allows_one_line_only() -> None:
    token = f"ghp_{_draw(36)}"
    assert find_secrets(f"{token} <!-- pragma: allowlist secret -->\n") == ()
    assert find_secrets(f"key: {token}  # pragma: allowlist secret\n") == ()
    assert find_secrets(f"<!-- pragma: allowlist nextline secret -->\n{token}\n") == ()
    findings = find_secrets(f"<!-- pragma: allowlist nextline secret -->\nnone\n{token}\n")
    assert [flaw.line for flaw in findings] == [3]


def test_a_refusal_does_not_repeat_the_secret() -> None:
    token = f"ghp_{_draw(36)}"
    with pytest.raises(Refused, match="line 2: a token of GitHub") as refusal:
        refuse_secrets(f"one\n{token}\n")
    assert token not in str(refusal.value)
    assert refusal.value.hint
    refuse_secrets("nothing to hide\n")


def test_the_sample_contains_no_secret() -> None:
    for path in SAMPLE.rglob("*.md"):
        assert find_secrets(path.read_text()) == ()


def test_detect_secrets_is_imported_only_for_suspicious_text() -> None:
    program = (
        "import sys\nfrom cortexfs.core.checks.secrets import find_secrets\n"
        "find_secrets(sys.argv[1])\n"
        "print('detect_secrets' in sys.modules)"
    )

    def imported(text: str) -> str:
        command = [sys.executable, "-c", program, text]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert imported((SAMPLE / "projects/driftwood/experiments/EXP-012.md").read_text()) == "False"
    assert imported(f"ghp_{_draw(36)}") == "True"


@given(
    st.text()
    | st.lists(st.sampled_from([*TOKENS, "\n", " ", "pragma: allowlist secret"])).map("".join)
)
def test_findings_in_any_text_have_a_place_in_it(text: str) -> None:
    lines = text.split("\n")
    for flaw in find_secrets(text):
        assert 1 <= flaw.column <= len(lines[flaw.line - 1])


@pytest.mark.parametrize("piece", ["eyJaaaaaaaaaa", "sk-aaaaaaaaaaaaaaaaaaaaaaaaa"])
def test_unfinished_tokens_are_searched_in_linear_time(piece: str) -> None:
    began = time.process_time()
    assert find_secrets(piece * (400_000 // len(piece))) == ()
    assert time.process_time() - began < 5
