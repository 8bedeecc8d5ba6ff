"""Words that are written with a capital letter and name nothing that a story remembers."""

from __future__ import annotations

from cortexfs.core.stories.word_list import parse_words

_FUNCTION = """
ye holloa halloa hola
humph hem sh shh ay aye aye-aye hist whist psst tsk pst pooh-pooh bye-and-bye a about above
according across after afterwards again against ago ah alas all almost alone along already also
although always am among an and another any anybody anyhow anyone anything anyway anywhere
apparently are aren't around as aside at away aye bah be because been before behind being below
beneath beside besides between beyond both but by bye bye-bye can can't cannot certainly come
could couldn't damn dammit dear dearest despite did didn't do does doesn't doing don't done down
during each eh either else enough even eventually ever every everybody everyone everything
everywhere except excuse exactly far farewell few fewer finally fine first five for former forty
four fortunately from further furthermore get getting give given go god goes going gone good
goodbye good-bye goodnight gosh got great ha had hadn't half hallo happily hardly has hasn't hate
have haven't having he he'd he'll he's heaven heavens hello hell hence her here here's hereafter
hers herself hey hi him himself his hm hmm ho how how's however hullo hundred hurrah hurry hush i
i'd i'll i'm i've if immediately in indeed inside instead into is isn't it it'd it'll it's its
itself just knowing last later lastly least left less lest let let's like likewise listen little
ll lo long look lord made make many may maybe me meanwhile merely might mine more moreover most
mostly mr mrs much must my myself nah naturally nay near nearly neither never nevertheless next
nine no nobody none nonsense nope nor not nothing notwithstanding now nowadays nowhere o observe
occasionally of off often oh ok okay old on once one one's oneself only onto ooh or other others
otherwise ought ouch our ours ourselves out outside over own part people perhaps please plenty
poor presently probably quick quickly quite rather really right round said same see seeing
sensible seven several shall shan't she she'd she'll she's should shouldn't show shut silence
silent similarly since sir six slowly so some somebody somehow someone something sometime
sometimes somewhat somewhere soon still stop strange such suddenly suppose sure surely take tell
ten than thank thanks that that'll that's the thee their theirs them themselves then there there'd
there'll there's thereafter therefore these they they'd they'll they're they've think third this
thirty those thou though thousand three through throughout thus thy till to today together
tomorrow tonight too toward towards truly try twas tis 'tis twenty twelve twice two ugh um under
undoubtedly unfortunately unless unlike until up upon us usually very wait was wasn't watch we
we'd we'll we're we've welcome well were weren't what what'd what'll what's whatever when whence
whenever where where's whereas whereby wherefore wherever whether which whichever while whilst
whither who who'd who'll who's whoever whole whom whose why will with within without woe won't
wonderful worse would wouldn't wow yeah yes yesterday yet yo you you'd you'll you're you've young
your yours yourself yourselves forgive pray behold believe beware bless bring call consider damned
go'n gonna hang hear help hold imagine keep kill know leave looking mind move note open pardon put
read remember run save say second send sit speak stand start stay step talk try turn use wake walk
want wanna work write beautiful big black blue brave bright brown clear cold cool crazy cute dark
dead deep early easy empty funny gentle glad golden green grey gray happy hard heavy high holy hot
huge interesting kind large late light lost lovely low mad nice odd perfect pretty quiet ready
real red sad safe short sick silly simple slow small soft sorry special strong stupid sweet tall
thick thin tiny true ugly warm weak white wild wise wrong men women man woman children child boys
girls boy girl folks ladies gentlemen gentleman lads guys guy buddy bro dude fellow fellows kids
marry ask fetch bid shut throw catch lend
sirs nay lor bosh pooh pshaw tut whoa wham bang splash yikes yay yep yup hooray bravo amen adieu
cheers congratulations oops lol omg wtf btw haha hehe ooc ain't whoever'd mustn't needn't couldn
daren't dost doth hast hath wherein whereupon amid amidst per via versus ere et la le les il elle
je tu nous vous que qui et un une des du au ist und der die das ich wir ihr ein eine nicht auch
aber el los las y es en un una pero
"""
_CALENDAR = """
march monday tuesday wednesday thursday friday saturday sunday january february april june july
august september october november december christmas easter michaelmas midsummer lent advent
whitsuntide halloween thanksgiving lammas candlemas yuletide ramadan hanukkah sabbath noel xmas year
mondays tuesdays wednesdays thursdays fridays saturdays sundays jan feb mar apr jun jul aug sept sep
oct nov dec
"""
_PEOPLES = """
american americans english englishman englishmen englishwoman british briton britons scotch scottish
scot scots scotchman scotsman irish irishman irishmen welsh welshman french frenchman frenchmen
frenchwoman german germans italian italians spanish spaniard spaniards portuguese dutch dutchman
russian russians polish pole poles swedish swede swedes norwegian danish dane danes swiss greek
greeks turkish turk turks roman romans latin hebrew jew jews jewish arab arabs arabic arabian
persian indian indians chinese chinaman japanese korean vietnamese mexican mexicans spanish-american
african africans negro negroes european europeans asian asians christian christians christianity
catholic catholics protestant protestants methodist baptist presbyterian quaker quakers muslim
muslims islam islamic buddhist hindu mohammedan pagan puritan tory tories whig whigs republican
republicans democrat democrats communist communists nazi nazis egyptian austrian prussian prussians
hungarian bohemian flemish norman saxon victorian gothic creole canadian canadians australian
brazilian cuban yankee yankees southerner northerner southern northern western eastern anglican
lutheran jesuit jesuits moor moors moorish gypsy gipsy gypsies tartar cossack cossacks celtic
teutonic parisian venetian spartan trojan athenian georgian byzantine genevese anglian shetlander
highlander highlanders londoner londoners viennese burmese siamese malay malays javanese tahitian
hawaiian maori zulu zulus kaffir kaffirs hottentot hottentots ethiopian abyssinian nubian berber
berbers ottoman serbian serb serbs bulgarian romanian rumanian roumanian croatian croat slav slavs
slavonic bavarian tyrolese alsatian breton bretons gascon normans castilian andalusian catalan
basque corsican sicilian neapolitan florentine tuscan lombard genoese maltese cretan cypriot
phoenician phoenicians carthaginian carthaginians babylonian assyrian chaldean parthian syrian
syrians armenian armenians levantine israelite israelites hebrews samaritan samaritans philistine
philistines pharisee pharisees mussulman mussulmans mahometan mahometans mohammedans moslem moslems
parsee parsees sikh sikhs brahmin brahmins hindoo hindoos hindus bengali afghan afghans pathan
pathans tibetan tibetans mongol mongols mongolian manchu tartars kalmuck kalmucks kirghiz ukrainian
lithuanian latvian finn finns finnish lapp lapps icelander icelanders icelandic scandinavian vikings
celt celts gael gaelic pict picts saxons goth goths vandals huns gauls etruscan spartans corinthian
theban macedonian athenians ionian doric homeric elizabethan jacobean edwardian napoleonic calvinist
calvinists calvinistic wesleyan wesleyans unitarian unitarians episcopalian episcopalians episcopal
papist papists popish romish puritans mormon mormons jacobin jacobins jacobite jacobites royalist
royalists roundhead roundheads bonapartist chartist chartists nihilist nihilists bostonian virginian
virginians kentuckian texan texans californian creoles apache apaches sioux comanche comanches
cherokee cherokees mohawks iroquois hurons pawnee pawnees navajo eskimo eskimos esquimaux aztec
aztecs inca incas peruvian peruvians chilian brazilians cubans galilean nazarene mahommedan
mahommedans
"""
_CONCEPTS = """
god gods goddess jove ye holloa gutenberg-tm east west north south providence nature fate fortune
fates destiny bible scripture scriptures gospel testament almighty creator saviour savior heaven
hades god's lord's devil satan jesus christ lucifer majesty highness grace excellency worship honour
honor lordship ladyship eminence reverence holiness esq jr sr phd md chapter volume book part letter
section page figure table preface introduction contents finis footnote act scene prologue epilogue
canto illustration gutenberg psalter psalm psalms gospels genesis exodus deuteronomy koran talmud
catechism litany decalogue commandments sacrament redeemer messiah copyright project produced etext
ebook vol no chap pp ii iii iv vi vii viii ix xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii
xxiii xxiv xxv monsieur madame sir madam miss mister sirs ma'am messrs mr mrs ms dr tv dvd usa pm am
bc ad uk us eu id pc ai api http https www url ok faq cv internet google facebook iphone instagram
discord youtube state government federal congress constitution universe
"""
FUNCTION_WORDS = parse_words(_FUNCTION)
"""They begin sentences; none of them begins a name."""
CALENDAR_WORDS = parse_words(_CALENDAR)
PEOPLES = parse_words(_PEOPLES)
"""Peoples, languages and faiths."""
NO_SURNAMES = CALENDAR_WORDS | parse_words(_CONCEPTS)
"""They name nobody after a title either."""
NO_NAMES = NO_SURNAMES | PEOPLES
"""Alone they name nothing that a story remembers."""
