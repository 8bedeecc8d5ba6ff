"""Verbs that tell what stands beside them: a speaker, a person, a place, an item, a faction."""

from __future__ import annotations

from cortexfs.core.stories.word_list import parse_words

_SPEECH = """
said says asked asks replied replies answered answers cried cries exclaimed whispered whispers
muttered mutters murmured murmurs shouted shouts yelled screamed called begged pleaded added
continued repeated remarked observed returned rejoined retorted demanded inquired enquired
responded snapped growled hissed sneered drawled stammered stuttered declared announced admitted
agreed protested insisted explained suggested interrupted interposed ejaculated gasped sobbed
moaned groaned grumbled chuckled giggled roared bellowed breathed commented persisted pursued
resumed concluded warned urged told tells boasted joked teased purred croaked rasped mumbled
wailed shrieked thundered echoed countered quipped scoffed stated mused pondered reasoned vowed
swore confessed ventured volunteered quoth sang hailed sighed laughed says replying saying asking
speaking spoke speaks say ask
"""
_MIND = """
thought thinks felt feels knew knows wished wishes hoped hopes feared fears loved loves hated
hates wondered wonders wanted wants believed believes remembered remembers forgot forgets decided
decides realised realized realizes noticed notices saw sees heard hears looked looks stared stares
gazed gazes glanced glances watched watches smiled smiles grinned grins frowned frowns nodded nods
shrugged shrugs blushed blushes wept weeps cried trembled trembles shivered shuddered winced
flinched scowled smirked pouted yawned blinked winked sniffed coughed sneezed snorted hesitated
hesitates paused pauses listened listens understood understands supposed imagined expected
intended determined resolved refused refuses consented accepted agreed doubted regretted admired
despised pitied envied perceived recollected considered rejoiced grieved suffered enjoyed
preferred dreamed dreamt married died dies slept sleeps woke awoke ate eats drank drinks sat sits
knelt kneels bowed bows curtsied kissed kisses hugged hugs embraced stepped steps walked walks ran
runs strode strides stumbled crouched leaned leans leapt jumped danced dances fought fights shook
shakes rubbed clenched crossed raised lifted opened closed shut grabbed grabs seized caught threw
took takes gave gives put pulled pulls pushed held holds reached drew turned turns rose stood
stands laid met meets found finds left came comes went goes entered followed follows tried tries
began begins began proceeded seemed appeared grew became made makes did does got had has kept
keeps let lets told lived worked rode wrote writes read reads sent brought spoke arrived wore
wears tapped tilted swallowed exhaled inhaled panted limped lay rolled brushed scratched hurried
rushed waited waits lets tucks crosses shakes pulls tilts chuckles giggles gasps laughs sighs
groans
"""
_COMMON = """
had has was is would could will did does might must may should came went seemed appeared began
made left took gave
"""
COMMON_VERBS = parse_words(_COMMON)
"""They follow the name of anything."""
SPEECH_VERBS = parse_words(_SPEECH)
PERSON_VERBS = (parse_words(_MIND) | SPEECH_VERBS) - COMMON_VERBS
"""What people do; a place or an item rarely does."""

_TOWARDS = """
said spoke speak speaking talked talking looked look looking smiled smiling nodded bowed turned
listened whispered gave explained replied cried shouted told asked belonged grateful married engaged
introduced wrote writing glanced glancing stared staring pointed laughed talk say yelled waved
apologized apologised confided attached kind obliged related alike listening attentive gazed gazing
glared glaring peered peering frowned scowled grinned grinning winked snapped swore barked sneered
beamed blinked aimed fired angry mad surprised astonished proposed curtsied curtseyed applied
appealed gaze peer imparted communicated confessed mentioned repeated revealed handed lent owed
submitted addressed entrusted bequeathed offered presented
"""
AT_PERSON = parse_words("""
look looking looked smiled smiling laughed stared staring glanced glancing pointed gazed gazing
glared glaring peered peering frowned scowled grinned grinning winked snapped swore barked yelled
shouted sneered aimed fired angry mad surprised astonished nodded scoffed
""")
"""Before "at" and a person."""
TOWARDS_PERSON = parse_words(_TOWARDS)
"""Before "to", "at" or "with" and a person."""
_OBJECT = """
told asked married kissed hugged loved hated thanked begged met invited introduced persuaded
assured informed reminded embraced loves hates love marry marrying tell ask telling asking thank
forgive followed watched accompanied pitied blamed envied admired congratulated called poor poor's
dear named helped help trust trusts trusted pray assure believe consulted interrupted answered
protected protects betrayed betrays killed kills murdered attacked rescued saved greeted
"""
OBJECT_PERSON = parse_words(_OBJECT)
"""Before a person as their object."""

_MOTION = """
left leave leaving served landed bound went go goes going gone came come comes coming arrived
arrive arriving arrives returned return returning returns travelled traveled travel traveling
travelling journeyed journey journeys rode ride riding drove drive driving sailed sail sailing
walked walk moved move moving flew fly fled hurried marched voyage way road trip visit flight set
started bound back live lives lived living reside resided residing settled born raised stay stayed
staying stayed home house died sent drove removed removal excursion expedition retired migrated
escaped escape landed wandered strolled trudged headed heading entered crossed trip educated
buried quartered stationed cab coach train carriage steamer ticket ferry
"""
MOTION_VERBS = parse_words(_MOTION)
"""Before "to", "at", "from" or "in" and a place."""
_REACHED = """
left leave leaving leaves reached reach reaching reaches entered visited visit visiting visits
approached quitted quit inhabited toured besieged invaded sighted
"""
REACHED_VERBS = parse_words(_REACHED)
"""Before a place as their object, more often than before a person."""

CROSSING_VERBS = parse_words("""
cross crosses crossed crossing ford forded fording ascend ascended ascending descend descended
descending skirted navigated explored
""")
"""Before "the" and a place."""
BOUND_FOR = parse_words("""
bound sailed sail sailing started start left train coach steamer boat ship ticket member members
embarked embark
""")
"""Before "for" and a place."""
_WIELD = """
wielding wielded wields wield brandishing brandished brandishes sheathed sheathing unsheathed
unsheathing unsheathes forged forging equipped equips swung donned hefted
"""
WIELD_VERBS = parse_words(_WIELD)
"""Before an item as their object."""
_JOIN = """
joined join joining joins leads commands recruited disbanded infiltrated founded
"""
JOIN_VERBS = parse_words(_JOIN)
"""Before a faction as their object."""
PAST_VERBS = parse_words("""
was had is has came went said knew took gave saw told felt thought stood sat rose wrote spoke left
heard found began got made became ran lay held kept brought did would could might should
""")
"""After a name they tell that no question begins with `Will` or `May` before it."""
