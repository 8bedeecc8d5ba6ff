"""Titles before a name: whom they tell of."""

from __future__ import annotations

from cortexfs.core.stories.word_list import parse_words

_MALE = """
mr mister sir lord king prince duke earl count baron viscount marquis marquess uncle father brother
monsieur m signor senor señor don herr emperor squire mars marse massa parson grandfather grandpa
abbot friar tsar czar sultan emir caliph archduke widower master messrs esquire fra messire sahib
farmer abbé abbe chevalier vicomte comte père pere frère graf ritter freiherr mynheer rajah
maharajah nawab effendi sidi hadji baas oom signore pan esq daddy papa grandad gaffer goodman brer
great-uncle grand-uncle uncle-in-law monsignor marchese conte cavaliere principe duca barone baronet
"""
_FEMALE = """
mrs miss ms mme mlle lady queen princess duchess countess baroness viscountess marchioness aunt
auntie mother sister madame madam mademoiselle signora signorina senora señora senorita señorita
donna doña dame fräulein frau empress grandmother grandma granny abbess dowager priestess widow
nurse mistress mommy comtesse vicomtesse marquise mère soeur begum ranee memsahib mevrouw gräfin
mammy great-aunt grand-aunt miz missis missus mis'ess contessina tante mama goody governess sultana
marchesa contessa duchessa baronessa
"""
_EITHER = """
doc dr doctor captain capt cap colonel col major general gen admiral commodore lieutenant lieut lt
sergeant sgt corporal private ensign commander marshal professor prof reverend rev bishop
archbishop cardinal pope saint judge justice chancellor president senator governor mayor minister
secretary chief inspector constable detective officer deacon rabbi sheikh cousin elder cadet agent
director chairman deputy sheriff coach hon honourable honorable midshipman boatswain bosun cap'n
pastor vicar canon dean chaplain superintendent warden knight ser sensei ambassador alderman
councillor counselor commissioner khan archdeacon comrade citizen dom padre pilot matron warlord
archmage magister
consul lawyer preacher postmaster schoolmaster burgomaster provost laird dominie rector curate
surgeon quartermaster gunner trooper brigadier bombardier bo'sun subaltern lieutenant-colonel
major-general vice-admiral rear-admiral sub-lieutenant lance-corporal sergeant-major counsellor
bailiff marechal hauptmann comandante capitaine docteur maestro maitre sheik lama
"""
MALE_TITLES = parse_words(_MALE)
FEMALE_TITLES = parse_words(_FEMALE)
RANKS = parse_words(_EITHER)
"""Titles of offices and ranks, of men or women."""
TITLES = MALE_TITLES | FEMALE_TITLES | RANKS
"""Lower case, without their full stop."""

NOBLES = parse_words("""
lord lady earl countess duke duchess marquis marquess marchioness viscount viscountess baron
baroness count comte comtesse prince princess king queen emperor empress bishop archbishop dean
archdeacon
""")
"""Titles that stand before "of" and a place."""
FOLLOWING_TITLES = parse_words("khan sahib memsahib effendi bey pasha esq esquire huzoor")
"""Titles after a name."""
MARRIED = frozenset(
    {
        "mrs",
        "miz",
        "missis",
        "missus",
        "mis'ess",
        "mme",
        "madame",
        "frau",
        "signora",
        "senora",
        "señora",
    }
)
UNMARRIED = frozenset(
    {"miss", "mlle", "mademoiselle", "senorita", "señorita", "signorina", "fräulein"}
)
_FIRST_NAME = """
mars marse massa sir aunt auntie uncle king queen prince princess saint st sister brother dame don
doña donna granny grandma grandpa cousin pope emperor empress brer fra ser goody dom master
mammy great-uncle grand-uncle great-aunt grand-aunt
"""
BEFORE_FIRST_NAME = parse_words(_FIRST_NAME)
"""Titles that stand before a first name rather than a surname."""
SOLDIERS = parse_words("""
captain capt major colonel col general gen admiral commodore lieutenant lieut lt sergeant sgt
corporal inspector professor prof
""")
"""Titles that stand before a surname."""

ADDRESSES = parse_words("""
mr mrs miss ms mister messrs sir lord lady madam ma'am monsieur madame mademoiselle st saint dr hon
master god señor signor sahib don brother private dame dom
""")
"""Titles that name nobody when they stand alone."""
_RELATIVES = """
father mother papa mamma mama mum mom mummy mommy daddy dad grandfather grandmother grandma
grandpa granny aunt auntie uncle sister brother cousin ma pa nurse nanny
"""
RELATIVES = parse_words(_RELATIVES)
"""Words that a family uses as names."""


_PROFESSIONS = {
    "mr": "mister master esquire monsieur m herr señor senor signor reverend rev parson vicar",
    "dr": "doc doctor prof professor",
    "captain": "capt cap cap'n",
    "colonel": "col",
    "general": "gen",
    "lieutenant": "lieut lt",
    "sergeant": "sgt",
    "judge": "justice",
    "inspector": "detective constable officer chief superintendent",
}
_SAME_AS = {short: full for full, shorts in _PROFESSIONS.items() for short in shorts.split()}
_KEPT_APART = frozenset(_PROFESSIONS) | frozenset({"admiral", "major", "commodore", "farmer"})


def get_profession(title: str) -> str:
    """Return what a title says that a man is, the same for `Capt` and `Captain`; else empty."""
    profession = _SAME_AS.get(title, title)
    return profession if profession in _KEPT_APART else ""


def get_gender(title: str) -> str:
    """Return "m", "f" or "" for a title in lower case without its full stop."""
    if title in MALE_TITLES:
        return "m"
    return "f" if title in FEMALE_TITLES else ""


def get_equal_titles(title: str) -> frozenset[str]:
    """Return a title and those that a family uses for it: `Aunt` for `Great-Aunt`."""
    plain = title.removeprefix("great-").removeprefix("grand-")
    return frozenset({title, plain, f"great-{plain}"})
