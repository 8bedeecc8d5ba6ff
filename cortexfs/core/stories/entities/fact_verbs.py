"""Verbs after a name that tell a lasting fact: how important it is, and with which objects."""

from __future__ import annotations

_A = r"(?:an?) "
_A_OR_THE = r"(?:an?|the|his|her|their) "
_LASTING = r"(?:scar|son|daughter|brother|sister|secret|wife|husband|gift|twin)\b"
_ROLE = r"(?:daughter|son|last|first|only|leader|heir|youngest|eldest|owner|captain|keeper)\b"
FACT_VERBS: dict[str, tuple[int, str]] = {
    "is": (5, r"(?:an?|the|from|born|afraid|allergic|known|married|engaged|blind|deaf|in love) "),
    "was": (4, rf"(?:an? |born |raised |cursed |exiled |the {_ROLE})"),
    "has": (4, r"(?:an?|two|three|no|the power|the ability) "),
    "had": (3, rf"(?:an? (?:\w+ )?{_LASTING}|(?:two|three) \w+)"),
    "lives": (5, r"(?:in|at|near|with|on) "),
    "lived": (4, r"(?:in|at|near|with|on) "),
    "fears": (6, ""),
    "feared": (6, ""),
    "carries": (4, _A_OR_THE),
    "carried": (3, rf"{_A}(?:\w+ )?(?:sword|blade|knife|gun|rifle|dagger|bow|staff|scar|secret)\b"),
    "wears": (3, _A_OR_THE),
    "wore": (3, rf"{_A}(?:\w+ )?(?:mask|ring|crown|patch|uniform)\b"),
    "wields": (6, ""),
    "wielded": (5, ""),
    "works": (5, r"(?:as|for|at|in) "),
    "worked": (4, r"(?:as|for) "),
    "loves": (7, ""),
    "hates": (7, ""),
    "hated": (6, ""),
    "owns": (5, ""),
    "owned": (4, _A_OR_THE),
    "swears": (7, r"(?:to|that|an oath)\b"),
    "swore": (7, r"(?:to|that|an oath)\b"),
    "promises": (7, r"(?:to|that|her|him)\b"),
    "promised": (7, r"(?:to|that|her|him)\b"),
    "betrayed": (8, _A_OR_THE),
    "serves": (6, ""),
    "served": (5, r"(?:in|as|under|the) "),
    "leads": (6, r"the "),
    "led": (4, r"the "),
    "comes": (4, r"from "),
    "grew": (4, r"up "),
    "can": (4, r"(?:not )?(?:read|speak|see|fly|heal|summon|control|shape|hear)\b"),
}
"""The importance is from 1 to 10; the pattern tells how the rest begins."""

HAS_DIED = (
    r"died\b(?! down)|dies\b|passed away|(?:was|were|is|had been|has been) "
    r"(?:killed|slain|murdered|executed|buried|dead|assassinated)|lay dead|"
    r"drew (?:his|her|their) last breath|drowned\b"
)
KILLED = r"killed|slew|murdered|executed|buried|beheaded|assassinated"
WAS_DESTROYED = (
    r"(?:was|were|had been|has been|is) (?:\w+ly )?(?:destroyed|razed|obliterated|shattered|"
    r"burned (?:to the ground|down)|burnt (?:to the ground|down)|annihilated|levell?ed)|"
    r"burned to the ground|shattered into|lies in ruins|lay in ruins"
)
DESTROYED = r"destroyed|razed|obliterated|annihilated|levell?ed"
WENT_AWAY = (
    r"left (?:forever|for good|the (?:party|group|guild|city|village|country))|departed\b|"
    r"vanished\b|disappeared\b|sailed away"
)
CAME_BACK = (
    r"returned\b|came back|(?:is|was) alive|rose from the dead|"
    r"was (?:resurrected|revived|rebuilt|restored)"
)
UNSURE = (
    r"not|never|nearly|almost|if|unless|would|could|might|\w+n['’]t|wish|hope|dreamed|dreamt|"
    r"pretend\w*|thought|feared|suppose"
)
"""Beside it nothing counts as told."""
