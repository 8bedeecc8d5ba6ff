"""Places that most readers know, in lower case."""

from __future__ import annotations

from cortexfs.core.stories.word_list import parse_words

_PLACES = """
earth cheyenne laramie ceylon arkansas missouri lapland bengal burma siam formosa cheshire
cumberland dorset cornwall berkshire oxfordshire lancashire yorkshire devonshire rutland norfolk
suffolk hertford bedford afghanistan africa alabama alaska albania algeria alps amazon america
andes antarctica arabia argentina arizona arkansas asia atlantic australia austria bavaria belgium
bohemia bolivia brazil britain brittany bulgaria burgundy burma california cambodia canada
caribbean castile chile china colombia colorado congo connecticut cornwall corsica crete crimea
croatia cuba cyprus delaware denmark devon dover ecuador egypt england eritrea essex estonia
ethiopia europe finland flanders florida france galicia gascony georgia germany ghana greece
greenland guatemala guernsey haiti hawaii himalayas holland honduras hungary iceland idaho
illinois india indiana indies iowa iran iraq ireland israel italy jamaica japan java jersey jordan
kansas kent kentucky kenya korea labrador laos latvia lebanon libya lithuania lombardy louisiana
luxembourg macedonia madagascar madeira maine malaysia malta manchuria martinique maryland
massachusetts mediterranean mexico michigan minnesota mississippi missouri mongolia montana
morocco mozambique naples nebraska nepal netherlands nevada newfoundland nicaragua nigeria
normandy northumberland norway ohio oklahoma ontario oregon pacific pakistan palestine panama
paraguay patagonia pennsylvania persia peru philippines picardy piedmont poland polynesia portugal
prussia pyrenees quebec rhineland romania russia sahara sardinia saskatchewan savoy saxony
scandinavia scotland senegal serbia siberia sicily singapore slovakia slovenia somalia somerset
spain sudan suffolk sumatra surrey sussex sweden switzerland syria tahiti taiwan tasmania
tennessee texas thailand tibet tunisia turkey tuscany uganda ukraine uruguay usa utah venezuela
vermont vietnam virginia wales wisconsin wyoming yemen yorkshire yugoslavia zambia zealand
zimbabwe aberdeen adelaide albany alexandria algiers amsterdam antwerp athens atlanta auckland
babylon baghdad baltimore bangkok barcelona bath beijing beirut belfast belgrade berlin bermuda
berne birmingham bombay bordeaux boston brest brighton bristol brooklyn brussels bucharest
budapest buffalo bloomsbury cadiz cairo calais calcutta calcutta cambridge canterbury capetown
cardiff carthage casablanca charleston cheltenham chester chicago cincinnati cleveland cologne
constantinople copenhagen cork coventry cracow damascus dallas delhi denver detroit dresden dublin
dundee edinburgh exeter florence frankfurt geneva genoa georgetown gibraltar glasgow gloucester
granada greenwich guildford hamburg hampstead hanover hanoi harlem harvard havana havre helsinki
hereford hiroshima hollywood houston hull istanbul jerusalem johannesburg kensington kiev kyoto
lagos lausanne leeds leicester leipzig leningrad lima limerick lisbon liverpool london louisville
lyme lyons madras madrid malaga manchester manhattan manila margate marseilles mayfair mecca
medina melbourne memphis messina miami milan milwaukee minneapolis mobile montreal moscow munich
nagasaki nairobi nantes nantucket nashville newark newcastle nice nineveh norfolk northampton
norwich nottingham nuremberg oakland odessa omaha orleans osaka oslo ottawa oxford padua palermo
paris peking petersburg philadelphia piccadilly pisa pittsburgh plymouth pompeii portland
portsmouth potsdam prague preston providence ramsgate ravenna reading reno rheims richmond riga
rochester rome rotterdam rouen sacramento salem salisbury saragossa savannah seattle seoul seville
shanghai sheffield shrewsbury smyrna soho southampton sparta stamford stockholm strasbourg
stuttgart sydney tampa tangier taunton tehran tokyo toledo toronto toulon toulouse tripoli troy
tunis turin tyre utrecht valencia valparaiso vancouver venice vera verona versailles vicksburg
vienna wapping warsaw warwick washington waterloo westminster weymouth wimbledon winchester
windsor worcester worthing yale yarmouth york zanzibar zurich bethlehem sodom gomorrah eden
arcadia atlantis avalon camelot danube euphrates ganges hudson jordan loire nile po rhine rhone
rio seine severn shannon styx thames tiber tigris tweed volga mars venus jupiter saturn mercury
ramsgate brighton bermondsey chelsea lambeth southwark holborn battersea whitechapel bayswater
marylebone clapham putney hackney islington paddington belgravia bronx broadway wall queens nassau
galveston santiago bogota caracas buenos aires janeiro francisco angeles vegas diego antonio
"""
KNOWN_PLACES = parse_words(_PLACES)
_FULL = """
new york|new jersey|new orleans|new england|new zealand|new mexico|new hampshire|new haven|
new south wales|san francisco|san diego|los angeles|las vegas|united states|united kingdom|
great britain|south america|north america|west indies|east indies|buenos aires|rio de janeiro|
st petersburg|saint petersburg|hong kong|south africa|north carolina|south carolina|north dakota|
south dakota|west virginia|rhode island|cape town|new delhi|south sea|south seas|north sea|
red sea|black sea|dead sea|st louis|st. louis|st. petersburg|st paul|tierra del fuego|
van diemen's land|el paso|el salvador|costa rica|puerto rico|santa fe|sri lanka|saudi arabia|
holy land|salt lake city|mount vernon|isle of wight|notre dame|covent garden|charing cross|
hyde park|st james's|pall mall|scotland yard
"""
KNOWN_PLACE_NAMES = frozenset(name.strip() for name in _FULL.replace("\n", "").split("|"))
"""Names of several words."""
