"""Short forms of English first names."""

from __future__ import annotations

from functools import lru_cache

_TABLE = """
abigail abby abbie gail|abraham abe|albert al bert bertie|
alexander alex alec alick sandy sasha xander|alexandra alex sandra sasha lexi|
alfred alf alfie fred|alice ally allie|amanda mandy|amelia amy millie|andrew andy drew|
angela angie|ann annie nan nancy nannie|anna annie nan nannie|anne annie nan nancy|
anthony tony ant|antony tony|archibald archie|arthur art artie|augustus gus gussie|
barbara barb babs barbie|bartholomew bart|beatrice bea trixie bee|benedict ben|
benjamin ben benny benjie|bernard bernie|bertram bert bertie|bridget biddy bridie|
caroline carrie caro lina|catherine cathy kate katie kitty cat kit caty|
katherine kathy kate katie kitty kat kit kay|kathleen kathy kate kit|
cecilia cissy cecily cis|cecily cis cissy|cicely cis cissy|
charles charlie charley chuck chas|charlotte lottie charley char lotty|
christina chris tina chrissie|christine chris tina chrissie|christopher chris kit kester topher|
clarence clar|clementina clemmie|cornelius con neil|constance connie|cynthia cindy|
daniel dan danny|david dave davy davie|deborah deb debbie|dorothy dot dotty dolly dora dottie dodo|
dorothea dora dot dodo thea dolly|edgar ed eddie ned|edmund ed eddie ned ted|
edward ed eddie ned ted teddy eddy|edwin ed eddie ned|edith edie|
eleanor nell nellie ellie nora nelly lenore|elinor nell nelly nora|
elizabeth liz lizzie lizzy beth betsy betsey betty bess bessie bessy eliza elsie libby lisa lise
ellie|
elisabeth lisa lise beth betsy eliza|ellen nell nellie nelly|emily em emmy emmie|emma em emmy|
emmanuel manny|ernest ernie|esther hetty essie|eugene gene|evelyn eve evie|ezekiel zeke|
ferdinand ferdy|florence flo florrie flossie|frances fanny fran frankie fannie francie|
francis frank fran frankie|franklin frank|frederick fred freddy freddie fritz rick|gabriel gabe|
gabrielle gabby|geoffrey geoff jeff|george georgie geordie dod|georgiana georgy georgie|
gerald gerry jerry|gertrude gertie trudy|gilbert gil bert|gregory greg|gwendolen gwen gwenny|
gwendolyn gwen|hannah nan|harold harry hal|harriet hattie harry hatty|
helen nell nellie nelly lena ellie|henrietta hetty etta|henry harry hal hank|
herbert herb bert herbie|horatio horace|hubert hugh bert|humphrey humph humps|ignatius iggy|
isaac ike zak|isabel bel bell isa izzy belle|isabella bella belle bell izzy isa|jacob jake jack|
james jim jimmy jem jamie jimmie jemmy|jane janie jenny jennie janey|janet jenny|jean jeanie|
jeffrey jeff|jennifer jen jenny jenn|jeremiah jerry jem|jeremy jerry|jerome jerry|
jessica jess jessie|joan joanie|joanna jo joan|john jack johnny jock johnnie jackie|
jonathan jon jonny|joseph joe joey jos jo|josephine jo josie|joshua josh|josiah jos joe|
judith judy|julia julie jule|julian jules|juliana julie|justin just|kenneth ken kenny|
laura lolly laurie|laurence larry laurie|lawrence larry laurie|leonard leo len lenny|
leopold leo poldy|lewis lew louie|
lillian lil lily lillie|louis lou louie|louisa lou|louise lou|lucas luke|
lucinda cindy|lucy lu luce|lydia liddy|madeline maddy maddie|magdalena lena|
margaret maggie meg peggy madge marge daisy greta peg margie meggie rita margery mags|
marguerite daisy|maria molly|marianne annie|martha mattie patty matty|martin marty|
mary molly polly may mamie moll poll minnie|matilda tilly mattie matty maud tilda|matthew matt|
maurice morrie|maximilian max|melina mel|melissa mel|melanie mel|michael mike mick mickey micky|
mildred millie milly|miriam mimi|montague monty|mortimer mort|nathan nat nate|
nathaniel nat nate natty nathan|nicholas nick nicky|nicola nicky|nicolas nick|oliver ollie noll|
olivia liv livvy livy|oswald ozzy|pamela pam|patience pat patty|patricia pat patty tricia trish|
patrick pat paddy patsy packy|penelope penny pen|percival percy|peter pete|philip phil pip|
phillip phil|philippa pip pippa|priscilla cilla prissy|prudence prue pru prudy|rachel rae|
raymond ray|rebecca becky becca beck|reginald reggie reg rex|
richard dick rick dickie dicky ricky rich|robert bob rob robin bobby robbie bert bertie|
roderick rod rory|rodney rod|roger hodge|roland roly|ronald ron ronnie|rosalind rose ros|
rosamond rosy rose|rose rosie rosy|rosemary rose|rowland rowly|rudolph rudy rolf|rupert rupe|
samantha sam|samuel sam sammy|sarah sally sal sadie|sara sally|sebastian seb bas|septimus sep|
sidney sid|sigmund sig|simon si|solomon sol|sophia sophy sophie|sophie soph|stanley stan|
stephen steve steph stevie|steven steve|susan sue susie suky suzy sukey|susanna sue susan susie|
susannah sue susan sukey|sylvester syl vester|sylvia syl|terence terry|theodora dora theo|
theodore ted theo teddy dory|theresa tess terry tessie tracy|teresa tess tessa|thaddeus thad tad|
thomas tom tommy|timothy tim timmy|tobias toby|ulysses lys|ursula ursie|valentine val|
veronica ronnie vera|victor vic|victoria vicky tory queenie|vincent vin vince vinny|violet vi|
virginia ginny|vivian viv|wallace wally|walter walt wat wally|wilfred will fred|
wilhelmina mina minnie willa billie|william will bill billy willie willy liam|
winifred winnie freda win|zachary zach zack|zechariah zach|huckleberry huck|jebediah jeb|
jedediah jed|ebenezer eb eben|elijah lige lije|obadiah obie|dennis denny den|augusta gussie gusta|
augustine gus austin|arabella bella bell|adelaide addie ada|adeline addie|annabella bella|
alison ally|barnabas barney|barnaby barney|christiana chrissie|clement clem|cordelia delia|
emmeline emmy|ephraim eph|euphemia effie phemie|evangeline eva evie|georgina georgie|
griselda grizel zelda|gustavus gus|hester hetty essie|hezekiah hez ki ky|honora nora norah|
honoria nora|ichabod ike|jemima jem mima|lafayette lafe fayette|lavinia vinnie|leonora nora lennie|
letitia letty lettie tish|lucretia creesy|marmaduke duke|mehitable hitty|millicent milly|
minerva nerva|nathanael nat nate|philadelphia phil delphia|phineas phin|rhoda rho|
rosamund rosa rosie|rosina rosie|roxana roxy|selina lina|sophronia phrony|tabitha tabby|
temperance tempy|theodosia dosia|theophilus theo|thomasina tamsin|thomasin tamsin|thomasine tamsin|
wilfrid will|zachariah zack zach|zebedee zeb|zebulon zeb|eleanora nora|leander lee|gwendoline gwen|
ivan vanya vania|maria masha|marya masha|dmitri mitya dima|dimitri mitya dima|alexei alyosha|
pavel pasha|nikolai kolya|nicholas kolya|sofya sonya sonia|sophia sonia sonya|katerina katya|
ekaterina katya|mikhail misha|grigory grisha|pyotr petya|natalya natasha|vladimir volodya|
fyodor fedya|sergei seryozha|antonia toni tony|antonie toni tony|antoinette nettie toni|
wilhelm willi|heinrich heinz|johann hans|johannes hans|margarete grete gretel greta|
giovanni gianni|giuseppe beppo beppe|francesco checco cecco|lorenzo renzo enzo|francisco paco|
jose pepe|josefa pepa|dolores lola lolita|juana juanita|concepcion concha|guadalupe lupe|
marcus marc mark|mathilde tilde|almira mira|keziah kizzy|ruth ruthie|naomi nomi|miranda mandy|
cassandra cass cassie|rosalie rose|eugenia genie|lemuel lem|samson sam|zephaniah zeph|
drusilla dru|lucilla lucy cilla|camilla milly|annabel bel annie|rosabel bel|christabel bel|
constantine con|augustin gus|algernon algy algie|peregrine perry|frederic fred freddy
"""
SHORT_FORMS: dict[str, frozenset[str]] = {}
"""Lower case: each first name with its short forms."""
for _line in _TABLE.replace("\n", " ").split("|"):
    _full, *_short = _line.split()
    SHORT_FORMS[_full] = SHORT_FORMS.get(_full, frozenset()) | frozenset(_short)
RELATED: dict[str, frozenset[str]] = {}
"""Lower case: each first name with its short forms and with those that it is a short form of."""
for _full, _forms in SHORT_FORMS.items():
    RELATED[_full] = RELATED.get(_full, frozenset()) | _forms
    for _one in _forms:
        RELATED[_one] = RELATED.get(_one, frozenset()) | {_full}
_SHORTEST, _LONGEST_CUT = 3, 4
_DERIVED = (
    "ian",
    "ians",
    "an",
    "son",
    "man",
    "men",
    "ship",
    "ness",
    "ies",
    "s",
    "es",
    "ese",
    "ish",
)
"""Endings of other words that begin with a name: Justinian, Johnson, Manxman."""


_MAX_KEPT = 16_384
"""Pairs of names that are kept: each message of a story asks for all that it knows again."""


@lru_cache(maxsize=_MAX_KEPT)
def is_short_form(short: str, full: str) -> bool:
    """Tell whether one lower-case first name is a short form of the other.

    Where the table has none, a name that is cut after three or four letters counts: Pul of Pulchra.
    """
    known = SHORT_FORMS.get(full, frozenset())
    if short in known or respell(short) in known:
        return True
    if short.endswith("y") and f"{short[:-1]}a" == full:
        return True  # Almiry, as Almira is called in the country
    if len(short) < _SHORTEST or short == full:
        return False
    return short in _strip_fondness(full) or _is_cut(short, full)


def _is_cut(short: str, full: str) -> bool:
    known = short in SHORT_FORMS or full in RELATED
    if known or len(short) > _LONGEST_CUT or not full.startswith(short):
        return False
    return not full.endswith(_DERIVED)


def respell(name: str) -> str:
    """Return a name with its other ending of fondness: `gussy` is `gussie`."""
    return f"{name[:-2]}y" if name.endswith("ie") else f"{name[:-1]}ie" if name[-1:] == "y" else ""


def _strip_fondness(name: str) -> tuple[str, ...]:
    """Return what a name may be fond of: `siddy` is `sid`, `hucky` is `huck`, `nelly` is `nell`."""
    for ending in ("ie", "ey", "y"):
        stem = name.removesuffix(ending)
        if stem != name:
            return (stem, stem[:-1]) if stem[-2:-1] == stem[-1:] else (stem,)
    return ()
