"""Transcripts in one JSON document: exports of ChatGPT, of claude.ai, and of Discord."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stores.json_fields import BadEntry, Json, to_utc_time
from cortexfs.core.stories.message import Message
from cortexfs.core.stories.transcripts.transcript import (
    ASSISTANT,
    SYSTEM,
    USER,
    USER_SPEAKER,
    Conversation,
    clean_message,
    join_blocks,
    read_object,
    read_objects,
    read_string,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Entry = Mapping[str, Json]
    Refuse = Callable[[str], None]
    """What is called with the reason for which a message is refused."""

_IMAGE = "[attached: image]"
_DISCORD_TALK = frozenset({"", "Default", "Reply", "ChatInputCommand", "ContextMenuCommand"})


def parse_chatgpt(entry: Entry, refuse: Refuse) -> Conversation:
    """Return a conversation of ChatGPT: the branch shown last, the others as swiped texts."""
    mapping = read_object(entry.get("mapping"))
    branch = list(_walk_up(mapping, read_string(entry, "current_node"), "parent"))
    if not branch:
        raise BadEntry("`current_node` names no message")
    messages: list[Message] = []
    for key in reversed(branch):
        node = read_object(mapping.get(key))
        if role := _find_chatgpt_role(node):
            said = read_object(node.get("message"))
            name = read_string(read_object(said.get("author")), "name")
            messages += _clean(
                refuse,
                Message(
                    read_string(said, "id"),
                    to_utc_time(said.get("create_time")),
                    name or (USER_SPEAKER if role == USER else "ChatGPT"),
                    role,
                    _join_parts(node),
                    _list_siblings(mapping, key, role),
                ),
            )
    return Conversation(read_string(entry, "title"), tuple(messages))


def parse_claude(entry: Entry, refuse: Refuse) -> Conversation:
    """Return a conversation of claude.ai; of one with branches the one shown last."""
    said = read_objects(entry.get("chat_messages"))
    by_id = {read_string(each, "uuid"): each for each in said}
    leaf = read_string(entry, "current_leaf_message_uuid")
    if leaf in by_id:
        branch = list(_walk_up(by_id, leaf, "parent_message_uuid"))
        said = [read_object(by_id[key]) for key in reversed(branch)]
    messages: list[Message] = []
    for each in said:
        role = USER if each.get("sender") == "human" else ASSISTANT
        messages += _clean(
            refuse,
            Message(
                read_string(each, "uuid"),
                to_utc_time(each.get("created_at")),
                USER_SPEAKER if role == USER else "Claude",
                role,
                "\n".join(filter(None, (_read_claude_text(each), *_list_attached(each)))),
            ),
        )
    return Conversation(read_string(entry, "name"), tuple(messages))


def parse_discord(entry: Entry, refuse: Refuse) -> Conversation:
    """Return the conversation of one channel, as DiscordChatExporter writes it."""
    if not isinstance(entry.get("messages"), list):
        raise BadEntry("`messages` is not a list")
    messages: list[Message] = []
    entries = list(read_objects(entry.get("messages")))
    speakers = {read_string(each, "id"): _name_author(each) for each in entries}
    for each in entries:
        author = read_object(each.get("author"))
        role = ASSISTANT if author.get("isBot") is True else USER
        if read_string(each, "type") not in _DISCORD_TALK:
            role = SYSTEM
        shown = (
            _name_answered(each, speakers),
            read_string(each, "content"),
            *_list_embeds(each),
            *_list_attached(each),
        )
        messages += _clean(
            refuse,
            Message(
                read_string(each, "id"),
                to_utc_time(each.get("timestamp")),
                _name_author(each),
                role,
                "\n".join(filter(None, shown)),
            ),
        )
    return Conversation(read_string(read_object(entry.get("channel")), "name"), tuple(messages))


def _name_author(entry: Entry) -> str:
    return read_string(read_object(entry.get("author")), "nickname", "name")


def _name_answered(entry: Entry, speakers: Mapping[str, str]) -> str:
    """Return whom a reply of Discord answers; empty for one to oneself, and to what is missing."""
    if read_string(entry, "type") != "Reply":
        return ""
    answered = speakers.get(read_string(read_object(entry.get("reference")), "messageId"), "")
    name = " ".join(answered.split())
    return f"[reply to {name}]" if name and answered != _name_author(entry) else ""


def _read_claude_text(entry: Entry) -> str:
    return join_blocks(entry.get("content")) or read_string(entry, "text")


def _list_attached(entry: Entry) -> list[str]:
    """Return what was attached to a message, by name: files, images, stickers."""
    lists = (entry.get(key) for key in ("attachments", "files", "stickers"))
    files = (file for each in lists for file in read_objects(each))
    names = (read_string(file, "fileName", "file_name", "name", "url") for file in files)
    return [f"[attached: {name}]" for name in dict.fromkeys(names) if name]


def _list_embeds(entry: Entry) -> list[str]:
    """Return the titles and the texts of what a message of Discord shows of other pages."""
    found: list[str] = []
    for each in read_objects(entry.get("embeds")):
        fields = [
            f"{read_string(field, 'name')}: {read_string(field, 'value')}"
            for field in read_objects(each.get("fields"))
        ]
        found += [read_string(each, "title"), read_string(each, "description"), *fields]
    return found


def _clean(refuse: Refuse, message: Message) -> list[Message]:
    """Return a cleaned message as a list; an empty one without text, or if it is refused."""
    try:
        cleaned = clean_message(message)
    except BadEntry as error:
        refuse(str(error))
        return []
    return [cleaned] if cleaned else []


def _walk_up(nodes: Mapping[str, Json], leaf: str, parent_key: str) -> Iterator[str]:
    """Yield the keys from a node to the first one; a circle ends where it begins."""
    seen = set[str]()
    while leaf in nodes and leaf not in seen:
        seen.add(leaf)
        yield leaf
        leaf = read_string(read_object(nodes[leaf]), parent_key)


def _find_chatgpt_role(node: Entry) -> str:
    """Return the role of a node's message; empty for what is not shown: tools, instructions."""
    said = read_object(node.get("message"))
    role = read_string(read_object(said.get("author")), "role")
    hidden = read_object(said.get("metadata")).get("is_visually_hidden_from_conversation") is True
    recipient = read_string(said, "recipient") or "all"
    return role if role in {USER, ASSISTANT} and not hidden and recipient == "all" else ""


def _join_parts(node: Entry) -> str:
    """Return the text of a node's message, with the names of what is attached to it."""
    said = read_object(node.get("message"))
    content = read_object(said.get("content"))
    parts = content.get("parts")
    if not isinstance(parts, list):
        return read_string(content, "text")
    texts = [each if isinstance(each, str) else _read_part(each) for each in parts]
    named = _list_attached(read_object(said.get("metadata")))
    if named:  # an image that has a name is named once
        texts = [each for each in texts if each != _IMAGE]
    return "\n\n".join(filter(None, (*texts, *named)))


def _read_part(part: Json) -> str:
    """Return the text of a part that was spoken, or that an image was there."""
    entry = read_object(part)
    form = read_string(entry, "content_type")
    if form == "image_asset_pointer":
        return _IMAGE
    return read_string(entry, "text") if "transcription" in form else ""


def _list_siblings(mapping: Entry, key: str, role: str) -> tuple[str, ...]:
    """Return the texts of the other messages of a role in the place of a node, each once."""
    parent = read_object(mapping.get(read_string(read_object(mapping.get(key)), "parent")))
    children = parent.get("children")
    listed = children if isinstance(children, list) else []
    others = dict.fromkeys(each for each in listed if isinstance(each, str) and each != key)
    nodes = (read_object(mapping.get(other)) for other in others)
    return tuple(_join_parts(each) for each in nodes if _find_chatgpt_role(each) == role)
