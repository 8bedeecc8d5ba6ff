"""Places that most readers know, in lower case."""

from __future__ import annotations

from cortexfs.core.stories.word_list import parse_words

_PLACES = """
aberdeen aberdeenshire abergavenny aberystwyth abilene abingdon abruzzi abyssinia acadia acapulco
accrington adelaide aden adige adirondacks afghanistan africa agra ahmedabad aix ajmere alabama
alaska albania albany albuquerque aldeburgh aldershot alencon aleppo alexandria algarve algeria
algiers algoa alicante allahabad alleghanies alleghenies allegheny almeria alnwick alps alsace
altona amazon amboise america amiens amoy amritsar amritsur amsterdam anatolia ancona andalusia
andes andover angers anglesey anglia angouleme anjou annapolis antarctica antibes antietam antigua
antipodes antrim antwerp aosta apennines appalachians appledore appomattox apulia arabia aragon
ararat arbroath arcadia archangel ardennes arezzo argenteuil argentina argos argyll arizona arkansas
arles armagh arno arrah arras arundel ascot asia assam assisi assouan asti astoria astrakhan
asturias athens atlanta atlantic atlantis attica auckland augsburg augusta austerlitz australia
austria auteuil auvergne auxerre avalon avignon avon aylesbury ayr ayrshire azores baalbek babylon
baden baden-baden bagdad baghdad bahama bahamas bahia balkans ballarat balmoral baltimore bamborough
banbury banff bangkok bangor barbadoes barbados barbary barbizon barcelona barmouth barnet barnsley
barnstaple baroda basingstoke basle basra bassein bastia basutoland batavia bath batoum battersea
bavaria bayeux bayonne bayswater beaconsfield beaune beccles bedford bedfordshire beds behar beijing
beirut belfast belgaum belgium belgrade belgravia bellagio belleville benares bendigo bengal berar
bergamo bergen berks berkshire berkshires berlin bermondsey bermuda berne berwick besancon
bessarabia bethlehem beverley bexhill bhopal bhurtpore bhutan biarritz bideford birmingham blackburn
blackwall blois bloomsbury bodmin bognor bogota bohemia bokhara bolivia bologna bolsover bolton
bombay bonn bordeaux bordighera borneo borodino boscastle bosnia bosphorus boston boulogne bourges
bournemouth boyne bradford braemar brahmaputra brazil brecon bremen brentford brentwood brescia
breslau brest bridgwater bridlington bridport brighton brindisi brisbane bristol britain brittany
brixham brixton broads broadstairs broadway bromley bronx brookline brooklyn brownsville bruges
brunswick brussels bucharest buckinghamshire bucks buda budapest bude buenos buffalo bulgaria
bundelkhand burgos burgundy burma burmah burnley burslem burton buxton cabul cadiz caen caernarvon
cagliari cairo caistor caithness calabria calais calcutta calicut california callao camberwell
cambodia camborne cambridge cambridgeshire camden camelot campania canada canaries candahar cannes
canterbury canton capetown capri capua caracas carcassonne cardiff cardigan caribbean carinthia
carlisle carmel carnarvon carnatic carnforth carolina carpathians carrara cartagena carthage
casablanca cashmere castile castille castleton catalonia catford catskill catskills caucasus
cawnpore cayenne celebes cephalonia ceylon chablis chamonix chamounix champagne chandernagore
chantilly charenton charleston chartres chatham chattanooga chelmsford chelsea cheltenham chepstow
cherbourg cheshire chester chesterfield cheviots cheyenne chiavenna chicago chichester chile chili
chillon chilterns china chioggia chiswick chitral chorley christchurch cincinnati cintra cirencester
clacton clapham clerkenwell clermont cleveland clovelly clyde coblentz cochin coimbra colchester
cologne colombia colombo colorado compiegne compostela concord congo coniston connaught connecticut
connemara constantinople conway coorg copenhagen cordoba cordova corfu corinth cork cornwall
coromandel corsica corunna cotswolds courland coventry cowes cracow crecy cremona crete crewkerne
crimea croatia cromarty cromer croydon cuba culloden cumberland curacao cuzco cyprus dacca dahomey
dakota dakotas dalkeith dallas dalmatia dalston damascus danube danzig dardanelles darien darjeeling
darlington dartford dartmoor dartmouth dauphiny davenport dawlish deadwood deccan dee delaware delhi
delphi demerara denmark denver deptford derby derbyshire detroit devizes devon devonshire dharwar
dieppe dijon dingwall dnieper dniester dolomites dominica doncaster donegal dorchester dordogne
dordrecht dorking dorset dorsetshire dover downs dresden drogheda dublin dubuque dudley duluth
dulwich dumfries dunblane dundalk dundee dunedin dunfermline dungeness dunkirk dunmow dunstable
durban durham dymchurch ealing earth eastbourne ebro ecuador eden edgware edinburgh edmonton egypt
eisenach elba elbe elsinore ely enfield engadine england epernay ephesus epping epsom erfurt erie
eritrea erzerum esher essex estonia estremadura ethiopia etna eton etretat euphrates europe
evansville everglades evesham evreux exe exeter exmoor falmouth fareham farnham faversham felixstowe
fens ferrara fez fiesole fife fiji finchley finisterre finland fiume flanders flodden florence
florida folkestone fontainebleau foochow formosa forth fowey france francisco frankfort frankfurt
frascati fredericksburg freiburg frome fulham furness galashiels galata galena galicia galilee
galloway galveston galway gambia ganges gascony gastein gatchina geelong geneva genoa georgetown
georgia germany gettysburg ghana ghazipur ghent gibraltar girona giverny glamorgan glasgow
glastonbury glencoe gloucester gloucestershire goa godalming golconda gomorrah goodwins gosport
gottingen granada grantham grasmere grasse gravesend graz greece greenland greenock greenwich
grenoble grimsby guadalquivir guadeloupe guatemala guayaquil guernsey guiana guildford guinea
guzerat gwalior haarlem hackney hague haidarabad haiti halifax hamburg hamburgh hammersmith
hampshire hampstead hankow hannibal hanoi hanover hants hanwell harlech harlem harrisburg harrogate
harrow hartford hartlepool harvard harwich harz haslemere hastings havana havre hawaii hawick
haworth hayti hebrides heidelberg helicon helmsley helsingfors helsinki helston helvellyn hendon
henley herat herculaneum hereford herefordshire hertford hertfordshire herts herzegovina hexham
highgate himalaya himalayas hindostan hindustan hiroshima hispaniola hobart hoboken holborn holland
hollywood holyhead holyrood homburg honduras honfleur honiton honolulu hooghly hornsey horsham
hounslow houston hoxton huddersfield hudson hull humber hungary huntingdon huntingdonshire hunts
hyderabad hythe iceland idaho ilfracombe illinois india indiana indies indore indus innsbruck
interlaken inverness inverness-shire iowa ipswich iran iraq ireland irrawaddy ischia isis islington
ispahan israel istanbul istria italy ithaca jaffa jaipur jamaica japan jarrow java jedburgh jeddah
jena jericho jersey jerusalem jhansi johannesburg jordan judaea judea jumna kabul kandahar kansas
karachi karlsbad karlsruhe kashmir kathiawar kazan kelso kendal kenilworth kennington kensington
kent kentucky kenya keokuk kerbela kerry keswick kettering kew khartoum khorasan khyber
kidderminster kieff kiel kiev kildare kilkenny killarney kimberley kirkcaldy kirkcudbright kirkwall
klondike knaresborough knoxville kobe koblenz konigsberg korea kovno krakow kronstadt kurdistan
kurrachee kyoto labrador ladakh lagos lahore lambeth lammermoor lanark lanarkshire lancashire
lancaster languedoc laos lapland laramie laredo latium latvia launceston lausanne leadville
leamington leavenworth lebanon leeds leghorn leicester leicestershire leiden leinster leipsic
leipzig leith lemberg leningrad leone lepanto lerwick lesbos levant lewes lewisham lexington leyden
lhasa libya lichfield liege liffey liguria lille lima limehouse limerick limoges limpopo lincoln
lincolnshire linz lisbon liskeard lithuania littlehampton liverpool livonia livorno lizard llandudno
loire lombardy london londonderry looe loreto lorraine lothian loughborough louisiana louisville
louth louvain louvre lowell lowestoft lubeck lucca lucerne lucknow ludlow lugano lulworth luton
luxembourg lyme lymington lyndhurst lyons macao macclesfield macedonia mackinac macon madagascar
madeira madras madrid madura magdeburg maggiore maidenhead maidstone maine mainz majorca malabar
malacca malaga malaya malaysia maldon malmesbury malta malvern manassas manchester manchuria
mandalay manhattan manila manitoba mantua maracaibo marblehead marengo margate marienbad marlborough
marne marquesas marrakesh marseille marseilles martinique maryland marylebone maryport massachusetts
matlock mayence mayfair mayo meaux mecca medina mediterranean medway meerut mekong melbourne melrose
memphis mendips mentone mercia mersey mesopotamia messina metz meudon meuse mexico miami michigan
middlesbrough middlesex midlothian milan milwaukee minehead minneapolis minnesota minorca
mississippi missouri mobile modena mogador mohawk moldavia moluccas monaco mongolia monmouthshire
montana montenegro monterey montevideo montmartre montpellier montreal montreux moravia morea
morecambe morocco moscow moselle mosul moulmein mozambique munich munster murano muscat mussoorie
muttra mysore mytilene nagasaki nagpur nairobi namur nancy nanking nantes nantucket naples narbonne
naseby nashville nassau natal natchez navarre nazareth nebraska nepal nepaul netherlands neuchatel
neuilly neva nevada nevers newark newbury newburyport newcastle newfoundland newhaven newlyn
newmarket newport newquay niagara nicaragua nice niger nigeria nile nimes nineveh norfolk normandy
northallerton northampton northamptonshire northumberland northumbria norway norwich nottingham
nottinghamshire novgorod nubia nuneaton nuremberg nyasaland oakham oakland oban oberammergau oder
odessa ohio oise oklahoma oldham olympus omaha ontario ootacamund oporto oregon orient orinoco
orissa orkney orkneys orleans orvieto osaka oslo ostend oswego oswestry otaheite otranto ottawa oudh
ouse oxford oxfordshire ozarks pacific paddington padstow padua paestum paisley pakistan palatinate
palermo palestine palmyra panama pangbourne paraguay paris parma parnassus parramatta passy
patagonia patiala patna pau pavia peckham peebles pegu peking pembroke pembrokeshire penang
pennsylvania penrith pensacola pentland pentonville penzance peoria pera pernambuco persia perth
perthshire peru perugia pesaro peshawar peshawur pesth peterborough peterhead petersburg petersburgh
petworth pevensey philadelphia philippines phoenix piacenza picardy piccadilly pickering piedmont
pimlico pisa pittsburgh plaistow plata platte plymouth po podolia poissy poitiers poitou poland
polynesia pomerania pompeii pondicherry pontefract poole poona poplar port-said portland portsmouth
portugal posillipo potomac potosi potsdam poughkeepsie prague pressburg preston pretoria princeton
provence providence prussia punjab punjaub putney pyrenees quantocks quebec queensland quetta quito
radstadt rajputana raleigh ramsgate rangoon rapallo rappahannock ratisbon ravello ravenna rawalpindi
reading redcar redruth reigate reims rennes reno rheims rhine rhineland rhodes rhodesia rhone
richmond riga rimini ringwood rio ripon riviera rivoli rochdale rochelle rochester rockies romania
rome romsey rosario rosenheim rotherham rotherhithe rothesay rotterdam rouen roxbury rugby runcorn
russia rutland ryde rye sacramento sahara saigon salamanca salem salerno salisbury salop salzburg
samarcand samaria samarkand samoa sandgate sandown sandusky sandwich santiago saone saragossa
saratoga sardinia saskatchewan saumur sausalito savannah savoy saxony scandinavia scarborough
schaffhausen scheldt schenectady schoharie schwyz scillies scinde scotland scutari seattle
sebastopol sedan sedgemoor segovia seine selby senegal seoul serbia seringapatam sevenoaks severn
seville shanghai shannon sheerness sheffield shenandoah sherborne shetlands shiloh shiraz shoreditch
shoreham shreveport shrewsbury shropshire siam siberia sicily sidmouth sidon siena sierra sierras
silesia simla simplon sinai sind singapore skegness sligo slough slovakia slovenia smithfield
smolensk smyrna snowdon sodom soho soissons solent solferino somalia somerset somersetshire sorrento
southampton southend southport southsea southwark southwold spain sparta spey spezia spitalfields
spithead spokane spoleto springfield staffa stafford staffordshire staines stamboul stamford stepney
stettin stirling stockholm stockport stonehenge stornoway stour stourbridge stralsund strand
strasbourg strasburg stratford streatham stromboli stroud stuttgart styria styx suabia suakin sudan
sudbury suez suffolk sumatra sunderland surinam surrey susquehanna sussex sutherland swabia swaffham
swanage swansea sweden swindon switzerland sydenham sydney syracuse syria tacoma tadcaster tagus
tahiti taiwan tamar tampa tampico tamworth tangier taormina taranto tarascon tarbes tarragona
tasmania taunton tavistock tay teddington tees teheran tehran teignmouth tenby teneriffe tennessee
tenterden tewkesbury texas thailand thames thanet thebes thessaly thetford thirsk thrapston thurgau
thuringia tiber tibet ticonderoga tiflis tigris tilbury tintagel tintern tipperary tiverton tobago
tobermory tokyo toledo tombstone tonbridge tonga tonkin tonquin tooting topeka torbay toronto
torquay tortuga totnes tottenham toulon toulouse touraine trafalgar transvaal transylvania
travancore trebizond trent trenton treves treviso trianon trichinopoly trieste trinidad tripoli
trouville troy troyes truro tucson tunbridge tunis tunisia turin turkestan turkey tuscany tweed
twickenham tyne tynemouth tyre tyrol tyrone udine uganda ukraine ullswater ulm ulster umballa umbria
upsala urals urbino uruguay usa usk utah utica utrecht uxbridge valencia valladolid valmy valparaiso
vancouver vaucluse vegas vendee venezuela venice ventnor vera veracruz vercelli verdun vermont
verona versailles vesuvius vevey vicenza vicksburg vienna vietnam villefranche vilna vincennes
virginia vistula viterbo vizcaya vladivostok volga volhynia vosges wabash wagram wakefield wales
wallachia wallingford walsall walworth wandsworth wantage wapping wareham warminster warsaw warwick
warwickshire washington waterford waterloo weimar wellington wells wensleydale wessex westminster
westmoreland westmorland westphalia wexford weymouth whitby whitechapel whitehaven whitstable
wichita wicklow wiesbaden wigan wilmington wilts wiltshire wimbledon winchelsea winchester
windermere windsor winnipeg wisconsin wittenberg woking wokingham wolverhampton woodstock woolwich
worcester worcestershire worthing wrexham wurtemberg wurzburg wycombe wye wyoming yale yangtze
yarkand yarmouth yedo yellowstone yemen yeovil yokohama yonkers york yorkshire ypres yucatan
yugoslavia yukon yuma zambesi zambezi zambia zanzibar zealand zermatt zimbabwe zululand zurich
zutphen
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
