"""Places that most readers know, in lower case."""

from __future__ import annotations

from cortexfs.core.stories.word_list import parse_words

_PLACES = """
aberdeen aberdeenshire abilene abingdon abruzzi abyssinia acapulco adelaide adige adirondacks
afghanistan africa agra alabama alaska albania albany albuquerque aldershot alexandria algarve
algeria algiers allahabad alleghanies alleghenies alnwick alps alsace amazon america amiens amoy
amsterdam anatolia ancona andalusia andes andover angers anglesey anglia anjou annapolis antarctica
antigua antipodes antrim antwerp apennines appalachians apulia arabia aragon ararat arcadia
archangel ardennes argentina argos argyll arizona arkansas arles armagh arno arras arundel asia
assam assisi astrakhan athens atlanta atlantic atlantis attica auckland augsburg augusta austerlitz
australia austria auvergne avalon avignon avon aylesbury ayr ayrshire azores babylon baden
baden-baden baghdad bahamas bahia balkans ballarat baltimore banbury bangkok bangor barbadoes
barbados barbary barcelona barnet barnsley barnstaple basingstoke basle basutoland batavia bath
battersea bavaria bayeux bayonne bayswater bedford bedfordshire beds beijing beirut belfast belgium
belgrade belgravia benares bendigo bengal berks berkshire berkshires berlin bermondsey bermuda berne
berwick besancon bessarabia bethlehem beverley bhutan biarritz bideford birmingham blackburn
blackwall blois bloomsbury bodmin bogota bohemia bolivia bologna bolton bombay bonn bordeaux borneo
borodino bosnia boston boulogne bournemouth boyne bradford brahmaputra brazil bremen brentford
breslau brest bridgwater bridlington brighton brindisi brisbane bristol britain brittany broads
broadway bronx brooklyn bruges brunswick brussels bucharest buckinghamshire bucks buda budapest
buenos buffalo bulgaria burgundy burma burnley burton buxton cadiz caen caernarvon cairo caithness
calabria calais calcutta california callao cambodia cambridge cambridgeshire camden camelot campania
canada canaries canterbury canton capetown capri caracas carcassonne cardiff cardigan caribbean
carinthia carlisle carmel carnarvon carnatic carpathians carthage casablanca castile castille
catalonia catskills caucasus cawnpore celebes cephalonia ceylon chamonix champagne chantilly
charleston chatham chattanooga chelmsford chelsea cheltenham cherbourg cheshire chester cheviots
cheyenne chicago chichester chile chillon chilterns china christchurch cincinnati cirencester
clapham cleveland clyde coblentz colchester cologne colombia colorado compiegne concord congo
connaught connecticut connemara constantinople conway copenhagen corfu corinth cork cornwall
coromandel corsica cotswolds courland coventry cracow crete crimea croatia cromer croydon cuba
cumberland cuzco cyprus dahomey dallas dalmatia damascus danube danzig darien darjeeling darlington
dartmouth dauphiny davenport deccan dee delaware delhi delphi demerara denmark denver deptford derby
derbyshire detroit devizes devon devonshire dieppe dijon dnieper dniester dolomites dominica
doncaster donegal dorchester dordogne dorking dorset dorsetshire dover downs dresden drogheda dublin
dubuque dudley duluth dumfries dundalk dundee dunedin dunfermline dunkirk dunstable durban durham
ealing earth eastbourne ebro ecuador eden edinburgh edmonton egypt elbe ely enfield england ephesus
epsom erie eritrea erzerum essex estonia estremadura ethiopia etna eton euphrates europe evansville
everglades evesham exe exeter falmouth farnham faversham fens ferrara fife fiji finchley finisterre
finland fiume flanders florence florida folkestone fontainebleau formosa forth france francisco
frankfort frankfurt fredericksburg galata galicia galilee galloway galveston galway gambia ganges
gascony geelong geneva genoa georgetown georgia germany ghana ghent gibraltar glamorgan glasgow
glastonbury gloucester gloucestershire gomorrah goodwins gottingen granada grantham gravesend greece
greenland greenock greenwich grenoble grimsby guadalquivir guadeloupe guatemala guernsey guiana
guildford guinea hackney haiti halifax hamburg hamburgh hampshire hampstead hannibal hanoi hanover
hants harlem harrogate harrow hartford hartlepool harvard harwich hastings havana havre hawaii
hebrides heidelberg helicon helsinki helston henley herculaneum hereford herefordshire hertford
hertfordshire herts herzegovina hexham highgate himalayas hiroshima hispaniola hobart hoboken
holborn holland hollywood holyhead homburg honduras honolulu hornsey horsham hounslow houston hoxton
huddersfield hudson hull humber hungary huntingdon huntingdonshire hunts hyderabad hythe iceland
idaho ilfracombe illinois india indiana indies indus innsbruck interlaken inverness inverness-shire
iowa ipswich iran iraq ireland irrawaddy isis islington israel istanbul italy ithaca jamaica japan
java jena jericho jersey jerusalem johannesburg jordan judaea judea kansas kashmir kazan kelso
kendal kenilworth kensington kent kentucky kenya keokuk kerry keswick kettering kew khartoum
kidderminster kiel kiev kildare kilkenny killarney kimberley klondike knaresborough knoxville kobe
konigsberg korea kovno kronstadt kurdistan kyoto labrador lagos lahore lambeth lanarkshire
lancashire lancaster languedoc laos lapland laramie latium latvia launceston lausanne leadville
leamington lebanon leeds leghorn leicester leicestershire leinster leipzig leith lemberg leningrad
leone lesbos levant lewes lexington libya lichfield liege liffey liguria lima limehouse limerick
limpopo lincoln lincolnshire lisbon lithuania liverpool livonia lizard llandudno loire lombardy
london londonderry lorraine lothian loughborough louisiana louisville louth lowell lowestoft lubeck
lucerne lucknow ludlow luton luxembourg lyme lyons macao macclesfield macedonia macon madagascar
madeira madras madrid magdeburg maidstone maine mainz malabar malacca malaga malaysia malta malvern
manchester manchuria mandalay manhattan manila mantua marblehead marengo margate marlborough marne
marquesas marseilles martinique maryland marylebone massachusetts matlock mayence mayfair mayo mecca
medina mediterranean medway mekong melbourne melrose memphis mendips mercia mersey mesopotamia
messina metz meuse mexico miami michigan middlesex midlothian milan milwaukee minehead minneapolis
minnesota mississippi missouri mobile modena mogador mohawk moldavia moluccas mongolia monmouthshire
montana montenegro monterey montevideo montpellier montreal montreux moravia morea morocco moscow
moselle mozambique munich munster mysore mytilene nagasaki nairobi namur nancy nanking nantes
nantucket naples narbonne nashville nassau natal natchez navarre nazareth nebraska nepal nepaul
netherlands neva nevada newark newbury newcastle newfoundland newport nicaragua nice niger nigeria
nile nimes nineveh norfolk normandy northampton northamptonshire northumberland northumbria norway
norwich nottingham nottinghamshire novgorod nubia nuremberg nyasaland oakham oakland oder odessa
ohio oise oklahoma oldham olympus omaha ontario oregon orient orinoco orkneys orleans osaka oslo
ostend otaheite otranto ottawa oudh ouse oxford oxfordshire ozarks pacific paddington padua paisley
pakistan palermo palestine panama paraguay paris parma parnassus parramatta patagonia pau peking
pembroke pembrokeshire penang pennsylvania penrith penzance peoria pera pernambuco persia perth
perthshire peru perugia peshawar pesth peterborough petersburg petersburgh petworth philadelphia
philippines phoenix picardy piccadilly piedmont pisa pittsburgh plata plymouth po podolia poitiers
poitou poland polynesia pomerania pompeii pondicherry poole poona poplar port-said portland
portsmouth portugal potomac potosi potsdam poughkeepsie prague pressburg preston pretoria provence
providence prussia punjab putney pyrenees quantocks quebec queensland quito rajputana raleigh
ramsgate rangoon ratisbon ravenna reading redruth reigate rennes reno rheims rhine rhineland rhodes
rhodesia rhone richmond riga ringwood rio ripon riviera rochdale rochelle rochester rockies romania
rome romsey rotherham rotherhithe rotterdam rouen rugby russia rutland rye sacramento sahara salem
salerno salisbury salop salzburg samaria samoa sandusky sandwich santiago saragossa saratoga
sardinia saskatchewan saumur sausalito savannah savoy saxony scandinavia scarborough schenectady
scillies scotland scutari seattle sebastopol sedan seine selby senegal seoul serbia sevenoaks severn
seville shanghai shannon sheffield sherborne shetlands shoreditch shreveport shrewsbury shropshire
siam siberia sicily sidon siena sierra sierras silesia simla sinai sind singapore sligo slough
slovakia slovenia smolensk smyrna sodom soho solent somalia somerset somersetshire sorrento
southampton southwark spain sparta spey spitalfields spokane spoleto springfield stafford
staffordshire staines stamboul stamford stepney stirling stockholm stockport stonehenge stour
strasbourg strasburg stratford stromboli stroud stuttgart styria styx sudan suez suffolk sumatra
sunderland surrey susquehanna sussex sutherland swansea sweden switzerland sydney syracuse syria
tacoma tagus tahiti taiwan tamar tampa tangier tasmania taunton tavistock tay tees tehran teignmouth
tenby teneriffe tennessee tewkesbury texas thailand thames thebes thessaly tiber tibet tiflis tigris
tilbury tipperary tobago tokyo toledo tombstone tonga topeka toronto torquay totnes tottenham toulon
toulouse touraine trafalgar transvaal transylvania trebizond trent trenton trieste trinidad tripoli
troy truro tucson tunbridge tunis tunisia turin turkestan turkey tuscany tweed twickenham tyne tyre
tyrol tyrone uganda ukraine ulm ulster umbria urals uruguay usa usk utah utica utrecht uxbridge
valencia valparaiso vancouver vegas vendee venezuela venice vera verdun vermont verona versailles
vesuvius vevey vicksburg vienna vietnam vilna virginia vistula vladivostok volga volhynia vosges
wabash wagram wakefield wales wallachia wallingford walsall wapping warsaw warwick warwickshire
washington waterford waterloo weimar wellington wells wessex westminster westmoreland westmorland
westphalia wexford weymouth whitby whitechapel whitehaven whitstable wichita wicklow wiesbaden wigan
wilmington wilts wiltshire wimbledon winchester windermere windsor wisconsin wolverhampton woodstock
woolwich worcester worcestershire worthing wrexham wye wyoming yale yangtze yarmouth yemen yeovil
yokohama york yorkshire yugoslavia yukon yuma zambezi zambia zanzibar zealand zimbabwe zululand
zurich
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
