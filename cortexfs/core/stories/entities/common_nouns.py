"""Common nouns that prose writes with a capital letter now and then, and that name nobody."""

from __future__ import annotations

from cortexfs.core.stories.word_list import parse_words

_NOUNS = """
absence academy accident account act action activity admiralty adventure affair affection affliction
age agriculture air alchemy algebra ambition amusement anarchy ancestor ancestors ancient ancients
anger anthem anxiety apartment apparition appendix appetite apple approach architecture argument
aristocracy arithmetic army art arts assembly assizes astronomy attention aurora author authority
authors autumn avarice baby ball ballad bank bar battle beast beauty beer being belief benevolence
bill birds birth blood board body bond book books boots botany brain branch brandy bread breadth
brotherhood brute budget building burden business cabinet calamity cant capital captain cards care
case castle cat cause cavalry ceremony chamber chance chancery chaos character charity charm charter
chemistry chivalry choice chorus church circle circles circus city civilisation civilization class
classics clergy clerk climate club coach coal coffee college colonel colony column comedy comfort
commerce commission committee commons commonwealth communion company competition conduct confusion
conquest conscience consciousness conservatory constitution contempt content contest convention
conversation council counsel country courage court courts covenant creation creator creature
creatures credit crisis critic criticism critics cross crown crowd cruelty crusade culture cube
curiosity curse custom customs cynic daily damnation danger darkness daughter day days death debt
decency declaration deity democracy demon department depravity despair dialogue dignity dimension
dimensions dinner diplomacy disaster discipline discord disease divinity doctrine dog dogma doom
doubt dragon drama dream dreams drink duty dynasty ease economy ecstasy education electricity
elements eloquence empire emotion encyclopaedia energy enemy engine enterprise entertainment
enthusiasm envy epic epoch equality equator era error essay essays establishment eternity ether
ethics euclid evening evil evolution exchange executive exhibition existence experience experiment
explorer exposition expression fable fact faculty failure fair fairy fairies falsehood fame family
famine fancy fashion father fathers fear federation female females festival feudalism fiction field
figure fire fish flag flame flattery flesh flood flowers fog folly food fool foreigner forest form
freedom friendship frost funeral fury future galaxy gallantry game garden gazette general generosity
genesis genius geography geology geometry ghost giant giants gloom glory glutton gossip gout grammar
gratitude grave gravity greatness grief guard guilt gunpowder habit happiness harmony harvest hatred
health heat height hell hermitage hero heroes heroine history home horror horse hospitality host
hotel hour house household human humanity humility hunger hymn hypocrisy hypothesis idea ideal ideas
idleness ignorance imagination impatience impulse independence index industry infantry infinite
infinity inheritance innocence insanity inspiration instinct institution intellect intelligence
interest invention irony island jealousy journal journey joy joys judgment judgement jungle jury
justice kindness king kingdom knight knights knowledge labour labor ladder lamb land language
languages laughter law laws lawyer league learning legend legion leisure length letters liberality
liberty library lie lies life light line lines lion literature logic longitude latitude loneliness
lords love lover loyalty luck lust luxury machine madness magic magistrate magna malice mammon man
mankind manners manor map market marriage marshal martyr mask mass master masters mathematics
matrimony matter maxim meaning medicine meditation melancholy melody memory merchant mercury mercy
merit metaphysics method middle midnight militia mind ministry minstrel miracle mirror mischief
misery misfortune missionary mob modesty modern moderns monarch monarchy money monk monster monument
moon morality morals morning mother motion mountain mouse muse muses music mutiny mystery myth
nation nations nature naturalist navy necessity night nobility noble noise noon novel nothingness
number nymph oath obedience ocean office officer ogre omnibus opera opinion opposition oracle orator
order organ original pain painting palace panic pantry parable paradise parent parents parish
parliament parson party passion past path patience patriotism peace pedant peer penitence perfection
peril perseverance person philanthropy philosopher philosophers philosophy phoenix physic physician
physics picture piety pilgrim pilgrims pilot pity plague plan planet pleasure poem poet poetry poets
policy politeness politics polygon polygons population position posterity poverty power powers
practice praise prayer preacher prejudice present president press pride priest priests prime
principle prison privilege profession progress property prophecy prophet prose prosperity proverb
proverbs prudence public punishment purgatory purity puritan quality quarrel question rabbit race
rage railway reason rebellion recess reform reformation regiment religion remorse repentance
republic reputation respect respectability restoration result resurrection revenge reverie review
revolution rhetoric rhyme riches riot river romance round rumour rumor sabbath sacrifice safety
saints salvation satire savage savages scandal school schools science sciences sculpture sea season
seasons secret senate sense sensibility sentiment servant shade shadow shame shepherd ship sin sins
sister sky slander slave slavery sleep sloth snow society soldier solitude son song sons sorrow soul
souls sovereign space sphere sphinx spirit spirits spring square squares stage star stars state
states station statue steam stoic stoics storm story stranger strangers strength student study
stupidity style sublime success suffering sultan summer sun sunday supper supreme surgeon surprise
suspicion symphony system talent taste tavern tea temper temperance temple temptation terror
testament theatre theology theory thing things thought thunder time times title tongue torment tower
town trade tradition tragedy traitor translator traveller travellers treachery treason treasure
treasury treaty tree triangle triangles tribe triumph trouble truth twilight tyranny tyrant ugliness
understanding unicorn union unity university vanity vengeance verse vessel vice victory view villain
villainy vine violence virgin virtue virtues vision voice volume voyage wall want war ward warrior
watch water wealth weather whale whales wife wind winter wisdom wit witch witches wits wizard wolf
woman wonder wood word words work works world worm worthies writer youth zeal accountant ambassador
archbishop banker barber bachelor beadle bishop brewer butcher butler carpenter chairman chamberlain
champion chancellor chief coachman commander commissioner constable cook coroner curate dean dealer
delegate director driver editor engineer executioner farmer footman foreman gaoler gamekeeper
gardener governess governor guardian hatter headmaster housekeeper innkeeper inspector jailer jester
judge landlord landlady lecturer librarian lieutenant manager mate mayor miller minister nurse
organist outlaw page painter patriarch peasant pirate policeman pope porter postman prefect prelate
premier prince princess principal prisoner professor psychologist queen rector regent resident
ringmaster sailor savant scholar schoolmaster secretary sergeant sexton sheriff smith speaker spy
squire stationmaster steward tailor teacher tinker treasurer trustee usher verger vicar victim
visitor waiter warden watchman widow witness location date mood outfit status scene setting dusk
dawn afternoon noontime rain sunny cloudy windy stormy clear characters
"""
COMMON_NOUNS = parse_words(_NOUNS)
"""Lower case; each needs more evidence that it is a name."""
