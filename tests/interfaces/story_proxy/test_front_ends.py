"""Requests in the form of real front ends: SillyTavern's, and those of the `openai` library.

`tests/clients/check_openai_client.py` asks through the library itself.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from chat_upstream import events, say, serve_upstream, stream
from running_proxy import run_proxy

if TYPE_CHECKING:
    from place import Place
    from running_proxy import RunningProxy

TAVERN = json.loads((Path(__file__).parents[2] / "chats" / "sillytavern_requests.json").read_text())
GREETING = 'Seraphina: *You wake with a start.* "Ah, you\'re awake at last. I was so worried."'
OPENAI_HEADERS = {
    "Accept": "application/json",
    "User-Agent": "OpenAI/Python 2.9.0",
    "Authorization": "Bearer sk-of-the-user",
    "X-Stainless-Lang": "python",
    "X-Stainless-Package-Version": "2.9.0",
    "X-Stainless-Async": "false",
    "X-Stainless-Retry-Count": "0",
    "X-Stainless-Read-Timeout": "600",
}


def send_tavern(proxy: RunningProxy, number: int) -> bytes:
    """Send a request as SillyTavern's server does for a custom endpoint."""
    body = json.dumps(TAVERN[number], separators=(",", ":")).encode()
    headers = {"Authorization": "Bearer null", "User-Agent": "node-fetch", "Accept": "*/*"}
    with proxy.send("POST", "/v1/chat/completions", body, headers) as answer:
        assert answer.status == 200
        found = answer.read()
    proxy.wait_until_recorded()
    return found


def test_a_chat_of_sillytavern_is_recorded_with_its_swipes_edits_and_continuations(
    tree: Place,
) -> None:
    replies = (
        stream('"In the ', 'woods."'),
        stream('"In my ', 'glade, Jack."'),
        stream(" She smiles. And"),
        say("Seraphina: Your guardian."),
        say("Sleep now."),
    )
    with serve_upstream(*replies) as server, run_proxy(tree, server.url) as proxy:
        assert send_tavern(proxy, 0) == b"".join(events('"In the ', 'woods."'))
        assert proxy.said("where-am-i") == [
            GREETING, "Jack Ash: Where am I?", 'Seraphina: "In the woods."',
        ]  # fmt: skip
        send_tavern(proxy, 1)  # the answer is made anew
        (_, _, answer) = proxy.record("where-am-i")
        assert (answer.text, answer.swiped) == ('"In my glade, Jack."', ('"In the woods."',))
        send_tavern(proxy, 2)  # it is continued
        assert proxy.said("where-am-i")[-1] == 'Seraphina: "In my glade, Jack." She smiles. And'
        send_tavern(proxy, 3)  # the answer was trimmed
        send_tavern(proxy, 4)  # the first question was edited
        assert proxy.said("where-am-i") == [
            GREETING,
            "Jack Ash: Where am I, really?",
            'Seraphina: "In my glade, Jack." She smiles.',
            "Jack Ash: Who are you?",
            "Seraphina: Your guardian.",
            "Jack Ash: Thank you.",
            "Seraphina: Sleep now.",
        ]
        assert proxy.record("where-am-i")[2].swiped == ('"In the woods."',)
        assert proxy.stories() == ["where-am-i"]
        assert json.loads(server.bodies[0]) == TAVERN[0]
        assert not proxy.reports


def test_a_group_of_sillytavern_keeps_its_speakers(tree: Place) -> None:
    with (
        serve_upstream(stream('"Then I follow."'), stream("Let us go.")) as server,
        run_proxy(tree, server.url) as proxy,
    ):
        send_tavern(proxy, 5)
        send_tavern(proxy, 6)
        (story,) = proxy.stories()
        assert proxy.said(story)[:4] == [
            "Jack Ash: Kael, Seraphina, who leads us?", "Kael: I do: the road is mine.",
            'Seraphina: "Then I follow."', "Jack Ash: So do I.",
        ]  # fmt: skip
        assert proxy.said(story)[4:] == ["Kael: Let us go."]


def test_a_request_of_the_openai_library_passes_with_its_headers(tree: Place) -> None:
    message = {"role": "user", "content": "Who are you?"}
    with serve_upstream(stream("Kael")) as server, run_proxy(tree, server.url) as proxy:
        proxy.ask(
            [message],
            headers=OPENAI_HEADERS,
            stream=True,
            stream_options={"include_usage": True},
            tools=[{"type": "function", "function": {"name": "roll", "parameters": {}}}],
        )
        got = {name.lower(): value for name, value in server.heads[0][2].items()}
        for name, value in OPENAI_HEADERS.items():
            assert got[name.lower()] == value
        assert json.loads(server.bodies[0])["stream_options"] == {"include_usage": True}
        assert proxy.said("who-are-you") == ["User: Who are you?", "Assistant: Kael"]
