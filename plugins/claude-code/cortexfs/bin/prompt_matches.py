"""Find the few atoms that a prompt is about, in the table that was prepared for it."""

import context_block
import hook_files
from prompt_tokens import split_terms
from session_context import Place
from shown_record import hash_text

MAX_TABLE_BYTES = 8 << 20
HEADER = "cortexfs-prompt-terms 1 "
MAX_MATCHES = 3
MIN_TERMS = 2
"""Minimum number of an atom's terms that a prompt has to contain."""
MIN_RARE_TERMS = 1.3
"""Minimum weight of these, in weights of a term that one atom alone has."""
MIN_SHARE = 0.2
"""Minimum share of them in the weight of the prompt, whose other terms count as rare."""
MIN_SHARE_OF_BEST = 0.6
"""An atom that matches less well than the best by more than this is left out."""
OTHER_PROJECT_FACTOR = 1.4
"""How much more an atom of another project than the session's has to match."""
MAX_CANDIDATES = 50
MAX_PLACES = 200
"""Maximum number of atoms that a term leads to."""
MAX_HEAD_BYTES = 100
MAX_ROW_BYTES = 1000
MAX_DIGITS = 9
MAX_PROMPT_TERMS = 80
"""Maximum number of different terms; a longer prompt is about everything."""


def show_matches(place: Place, prompt: str) -> str:
    """Return the block of a prompt's matches that the session has not seen, and record them."""
    if "c" in place.record.hashes and "p" not in place.record.hashes:
        place.record.add(["p"])
    if prompt.lstrip()[:1] in {"", "<", "/"}:  # a command, or a message of the client
        return ""
    terms = list(dict.fromkeys(split_terms(prompt)))
    if not MIN_TERMS <= len(terms) <= MAX_PROMPT_TERMS:
        return ""
    path = ("injection", "prompt-terms")
    table = hook_files.read_private_file(place.root, MAX_TABLE_BYTES, *path)
    found = find_matches(table, terms, place.project) if table else []
    unseen = [row for row in found if not place.record.has(row[0])][:MAX_MATCHES]
    if not unseen:
        return ""
    place.record.add([hash_text(ref) for ref, _ in unseen])
    lines = [context_block.clean_text(f"- {ref}: {summary}"[:400]) for ref, summary in unseen]
    return context_block.wrap_text("\n".join(lines), "prompt")


def find_matches(table: bytes, terms: "list[str]", project: str) -> "list[tuple[str, str]]":
    """Return ref and summary of the atoms above the threshold, the best first.

    The table is untrusted: one that is cut off or forged gives nothing.
    """
    head = table[: table.find(b"\n", 0, MAX_HEAD_BYTES) + 1]
    numbers = head.decode("ascii", "replace").removeprefix(HEADER).split()
    if len(numbers) != len("ws") or not all(map(is_number, numbers)):
        return []
    rare_weight, size = int(numbers[0]), int(numbers[1])
    if len(head) + size > len(table):
        return []
    weights: dict[bytes, list[int]] = {}
    total = 0
    for term in terms:
        span = (len(head), len(head) + size)
        weight, places = look_up(table, span, term.encode("utf-8", "replace"))
        total += weight or rare_weight
        for place in filter(is_number, places):
            weights.setdefault(place, []).append(weight)
    floor = max(MIN_RARE_TERMS * rare_weight, MIN_SHARE * total)
    scored = [
        (-sum(each), len(head) + size + int(place))
        for place, each in weights.items()
        if len(each) >= MIN_TERMS and sum(each) >= floor
    ]
    return _select_best(sorted(scored), table, floor, project) if scored else []


def _select_best(
    scored: "list[tuple[int, int]]", table: bytes, floor: float, project: str
) -> "list[tuple[str, str]]":
    """Return the rows of the best items; those of other projects have to match better."""
    found = []
    best = -scored[0][0]
    for score, start in scored[:MAX_CANDIDATES]:
        row = table[start : start + MAX_ROW_BYTES].partition(b"\n")[0]
        ref, _, summary = row.decode("utf-8", "replace").partition("\t")
        factor = 1.0 if project and ref.startswith(f"{project}/") else OTHER_PROJECT_FACTOR
        if -score >= max(floor * factor, best * MIN_SHARE_OF_BEST) and summary:
            found.append((ref, summary))
    return found


def is_number(text: "str | bytes") -> bool:
    """Return whether a text is a number as the table may have it."""
    return len(text) <= MAX_DIGITS and text.isdigit()


def look_up(table: bytes, span: "tuple[int, int]", term: bytes) -> "tuple[int, list[bytes]]":
    """Return the weight of a term in hundredths, and where its items begin.

    The span is that of the sorted lines of terms in the table.
    """
    low, high = span
    while low < high:
        start = table.rfind(b"\n", span[0], (low + high) // 2) + 1 or span[0]
        end = table.find(b"\n", start, span[1])
        if end < 0:  # the last line has no end
            break
        key, _, rest = table[start:end].partition(b"\t")
        if key == term:
            weight, _, places = rest.partition(b"\t")
            if not is_number(weight):
                break
            return int(weight), places.split(b",", MAX_PLACES)[:MAX_PLACES]
        if key < term:
            low = end + 1
        else:
            high = start
    return 0, []
