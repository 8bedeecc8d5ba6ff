"""Nouns beside a name, or the last word of a name, that tell what it names."""

from __future__ import annotations

from cortexfs.core.stories.word_list import parse_words

_KIN = """
brother sister father mother son daughter husband wife uncle aunt cousin nephew niece grandfather
grandmother friend friends lover servant maid butler master mistress boy girl man woman lady
gentleman fellow child baby named called sweetheart fiancé fiancee fiancée companion partner
captain lawyer poet painter companions papa mamma mama grandson granddaughter guardian ward widow
widower heroine hero author king queen prince princess
"""
_FEMALE_KIN = """
sister mother daughter wife aunt niece grandmother girl woman lady mamma mama granddaughter widow
heroine queen princess fiancée fiancee
"""
_MALE_KIN = """
brother father son husband uncle nephew grandfather boy man gentleman papa grandson widower hero
king prince fiancé
"""
KIN_GENDERS = dict.fromkeys(_FEMALE_KIN.split(), "she") | dict.fromkeys(_MALE_KIN.split(), "he")
"""Of these, those that tell a gender, with the cue of its pronoun."""
KIN_NOUNS = parse_words(_KIN)
"""Before a name: `her brother Caesar`."""
_BELONGINGS = """
child face eyes eye hand hands voice heart mind arm arms head hair mouth lips cheek cheeks
shoulder shoulders lap finger fingers feet foot knees tears smile look gaze breath temper manners
manner feelings thoughts opinion character mother father brother sister sister's wife husband son
daughter aunt uncle cousin friend friends family parents children words answer letter remark
question request spirits happiness love affection behaviour conduct wish wishes attention
countenance surprise astonishment anger delight expression soul memory conscience imagination room
bedroom side marriage attachment acquaintance account death arrival return absence jaw throat
chest stomach nose forehead brow ear ears laughter laugh sigh grip shirt coat dress skirt boots
hat pocket purse desk
"""
BELONGINGS = parse_words(_BELONGINGS)
"""After the possessive of a person's name."""
_FOND = """
dear dearest poor little old young good honest sweet beloved darling pretty kind naughty silly
lovely late miserable wretched handsome faithful
"""
FOND_WORDS = parse_words(_FOND)

_PLACE_HEADS = """
buildings street road lane avenue alley square park hall house castle inn tavern abbey cottage court
manor grange villa hotel lodge farm hill hills mount mountain mountains valley vale dale river lake
sea ocean bay cape creek brook falls island islands isle isles forest woods wood grove desert plain
plains moor heath marsh swamp beach shore coast harbor harbour port bridge tower towers gate gates
church cathedral chapel temple palace city town village county district province kingdom empire
republic station terrace place row crescent gardens garden green common market university college
school academy hospital theatre theater museum library building rectory parsonage priory room rooms
ranch canyon gulch springs point peak ridge rock rocks pass highway boulevard plaza crossing mill
mills heights cliff cliffs cave caverns dungeon fortress fort citadel keep ruins crypt sanctum
quarter quarters prefecture territory parish cemetery prison jail barracks corner end close yard
works wharf dock docks quay wasteland wastes sector planet colony outpost metropolis downs fens
peninsula strait straits channel gulf bluff bluffs café cafe diner bar pub saloon restaurant motel
mansion tunnel mine mines pit shipyard bend landing ferry hollow gap run fork forks ford bottom
bottoms junction sound narrows fell fells tarn loch glen wold wolds circus embankment vicarage
deanery minster kirk cay key atoll reef sands shoal foreland promontory steppe steppes bayou canton
arms coombe combe copse spinney weir lock lough chine dene hurst thicket clearing trail turnpike
pike basin delta lagoon inlet firth fjord estuary archipelago monastery convent nunnery cloister
almshouse workhouse asylum infirmary observatory exchange stockade mission pueblo range reservation
hacienda rancho kraal bungalow cantonment bazaar bush rents acre acres field state states canal
meadow meadows zee gorge ravine cellar mews mire prospect walk tor scar crag crags beck gill ghyll
burn rigg kop kloof veldt prairie butte mesa flats diggings settlement homestead lighthouse chambers
mansions palazzo piazza bazar nullah ghat serai hamlet knoll mound barrow cove pool wells hut huts
cross barn pier jetty wynd parade promenade pavilion playhouse alehouse dockyard arsenal
"""
PLACE_HEADS = parse_words(_PLACE_HEADS)
SURNAME_HEADS = parse_words("""
vale dale hill hills lake bay bridge church temple green court lane marsh heath moor beach wood
woods forest grove banks brook rock ridge mill mills towers gates field fields cross bush close
common castle hall park ford glen fell bend key combe hurst lock pike banks dene barrow gill beck
burn wells pool cove kirk parish abbey meadows acres
""")
"""Of these, words that are surnames as well."""
_PLACE_OF = """ city town village streets county parish neighbourhood neighborhood inhabitants
people port harbour harbor province kingdom island isle coast gates walls outskirts suburbs north
south east west environs road ruins valley banks shores side middle centre center heart bay cape
district part parts university king queen duke earl bishop cliffs fields plains hills mountains
court siege throne sack capture surrender suburb outside far kirk church abbey castle manor gorge
mouth pass towers spires roofs garrison forest woods moor moors country frontier border borders
hamlet wilds region regions territory direction vicinity map lake laird vicar rector curate abbot
squire mayor governor burgesses waters river lights lighthouse downs marshes sands battle fair
market bridge summit slopes foot passes monastery convent college cathedral shore bank edge outlet
confluence fork bend ferry brink outlets tributary natives roadstead roads lagoon anchorage master
mistress owner tenant
"""
PLACE_OF = parse_words(_PLACE_OF)
"""Before "of" and a place."""
PLACE_OF_NAMES = PLACE_HEADS | PLACE_OF | parse_words("hook butt mull kyle firth bight west")
"""Before "of" in the name of a place: `Mull of Kintyre`."""
PLACE_OF_THE = (
    PLACE_OF
    | parse_words("""
door doors gallery front roof windows window steps host landlord landlady sign porch yard doorway
mouth source bend waters surface head torrent current stream taproom parlour parlor lobby
top foot entrance chimneys
""")
) - parse_words(
    "people part parts king queen side sides heart laird vicar rector curate abbot squire mayor"
    " governor country church castle manor college"
)
"""Before "of the" and a place."""
PERSON_OF = parse_words("""
works work poems verses novels plays writings whole heard hear thought think speak spoke spoken talk
talked tell told know knew bust portrait picture death letter letters son daughter wife friend
friends fond proud sake memory care company presence opinion behalf worthy jealous tired afraid
ghost face voice hands arms sight idea copy volume volumes edition
""")
"""Before "of" and a person."""
INSTITUTIONS = parse_words("""
church empire court bar house school exchange kingdom republic common close end quarter state states
field market castle rock pass works station academy college university hospital prison
""")
"""Heads of places that stand for more than a place where they stand alone."""
PLACE_BEFORE = parse_words("""
river mount lake village town township hamlet street inn island cape creek county city port loch
rivers mountains isle
""")
"""Right before the name of a place: `the river Ouse`."""
PLACE_PREFIXES = parse_words("""
new old fort port mount lake saint st san santa los las el north south east west upper lower great
cape point camp villa nether little much market stoke chipping river loch lough ben glen rue quai
faubourg calle piazza palazzo ponte porta rio val monte sierra castel castle hotel hôtel pont
schloss chateau château county isle
""")
"""Before the rest of a place's name."""
INN_SIGNS = parse_words("""
dragon crown anchor cable castle lion unicorn horses rose thistle keys star garter compasses vulture
mitre fleece plough horn hounds hare fox goose feathers pipe bowl bottle basket trumpet thorn grapes
wheatsheaf fiddle cat whistle duck pelican mermaid angel dolphin bear boar hart bull swan stag eagle
peacock griffin cushion cart bells bell ship
""")
"""The last word of an inn's name: `the George and Dragon`."""
SHIP_NAMES = parse_words("maid pride lass belle flower spirit bride")
"""Before "of" in the name of a ship: `the Maid of Athens`."""
VAGUE_PREFIXES = parse_words("great little much market upper lower")
"""Of these, words that stand before the names of people and things as well."""
PERSON_HEADS = parse_words("""
man woman boy girl lady gentleman lad lass lassie kid child fellow witch wizard traveller traveler
stranger giant dwarf fairy ogre baker butcher tailor carpenter fisherman sailor priest monk hermit
psychologist philosopher
""")
"""The last word of what somebody is called: `the Sweetgrass Kid`."""
_PLACE_ENDINGS = """
shire ville burg burgh bury borough wick minster mouth stead haven polis land ington gate bridge
cester chester thorpe stan sylvania grad ford heim dale thwaite combe hurst mere
"""
COMPASS = frozenset({"north", "south", "east", "west"})
"""Regions where they stand with a capital letter within a sentence."""
PLACE_ENDINGS = tuple(_PLACE_ENDINGS.split())
"""The end of many places' names; of some surnames too."""
_FACTION_HEADS = """ guild order company clan army council legion brotherhood sisterhood syndicate
cartel gang crew corps corporation association society club league party union federation alliance
confederation covenant coven cult horde tribe tribes regiment brigade battalion squad squadron fleet
navy committee bureau agency ministry department institute foundation consortium bank firm inc ltd
co corp knights sons daughters children brothers sisters rebels raiders riders guard guards police
parliament congress senate court dynasty house circle conclave assembly office dragoons hussars
lancers fusiliers marines cuirassiers zouaves grenadiers yeomanry militia templars mercenaries
pirates herald times gazette tribune chronicle examiner quarterly advertiser telegraph
"""
FACTION_HEADS = parse_words(_FACTION_HEADS) - parse_words("house court children brothers sisters")
COLLECTIVES = parse_words("""
sons daughters children knights order guild brotherhood sisterhood brothers sisters house clan
company league society army guardians hunters riders disciples servants lords heralds keepers
followers soldiers legion circle court council church cult
""")
"""Before "of" they begin the name of a faction."""
FACTION_ENDINGS = ("sec", "corp", "tech", "soft", "net", "co", "inc", "dyne", "gov")
"""The end of a name in camel case."""
_FACTION_FOLLOWERS = """
soldiers soldier agents agent members member troops troopers headquarters thugs enforcers guards
operatives recruits rebels forces men goons warriors raiders
"""
FACTION_FOLLOWERS = parse_words(_FACTION_FOLLOWERS)
_FACTION_OF = """
member members leader leaders agent agents head chief founder founders army ranks boss soldiers
followers director
"""
FACTION_OF = parse_words(_FACTION_OF)
"""Before "of" and a faction."""

_ITEM_HEADS = """
sword blade dagger axe bow spear hammer shield staff wand ring amulet crown necklace orb gem stone
crystal scroll tome grimoire armor armour helm gauntlet cloak potion elixir talisman pendant
chalice grail lantern key rifle gun pistol engine codex machine locket diadem sceptre scepter
"""
ITEM_HEADS = parse_words(_ITEM_HEADS)
ITEM_ENDINGS = ("blade", "sword", "bane", "fang", "cleaver", "brand", "hammer", "shard")
SHIPS = parse_words("""
ship vessel schooner brig brigantine frigate boat sloop steamer steamship whaler yacht cutter
barque bark lugger smack galleon packet privateer trawler collier tug freighter starship cruiser
launch gunboat clipper
""")
ITEM_BEFORE = SHIPS | parse_words("sword blade dagger axe bow spear hammer shield staff wand ring")
"""Before the name of an item: `the ship Pequod`."""
SHIP_OF = parse_words("""
aboard board deck decks captain mate master crew skipper cook wreck loss hull masts mast log cabin
helm rigging boatswain
""")
"""Before "of the" and a ship; "aboard the", "on board the"."""
NAMED_THINGS = {
    **dict.fromkeys(PLACE_HEADS | PLACE_BEFORE, "placeof"),
    **dict.fromkeys(SHIPS | ITEM_BEFORE, "item"),
}
"""The cue of what stands before "called" and a name."""
_EVENT_HEADS = """
war battle siege festival ball feast revolution rebellion uprising massacre treaty tournament
ceremony plague games day eve night christmas coronation armistice exhibition incident crisis
crusade crusades
trial fair regatta derby races
"""
EVENT_HEADS = parse_words(_EVENT_HEADS)
OF_HEADS = (
    COLLECTIVES
    | SHIP_NAMES
    | EVENT_HEADS
    | ITEM_HEADS
    | parse_words("""
duke duchess earl prince princess king queen count countess lord lady bishop archbishop marquis
baron emperor empress bay cape isle isles island gulf city kingdom valley university college tower
bank house forest mountains mountain sea temple republic straits river hall castle cave well
fields plains land garden gardens prince palace ministry department monastery abbey convent priory
church cathedral chapel hospital vale forest mount gulf strait lake sea pass duchy falls rock plain
sound mouth head desert field cliffs hook butt mull kyle firth point county town village port
bridge state province territory rock rocks tower isle heights hill hills parish borough bight
north south east west
""")
)
"""Words that are joined with what follows "of"."""
