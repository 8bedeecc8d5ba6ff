"""Common first names, with the gender they tell of."""

from __future__ import annotations

from cortexfs.core.stories.entities.nicknames import SHORT_FORMS
from cortexfs.core.stories.word_list import parse_words

_MALE = """
aaron abner abraham adam adrian ahab alan albert alec alexander alexei alexis alfred algernon allan
allen alonzo ambrose amos andre andrew angus anthony antoine antonio archer archibald archie arnold
arthur asa ashley aubrey augustine augustus austin baldwin barnaby barry bartholomew basil ben
benedict benjamin bernard bertram bill billy bob boris brandon brian bruce bruno caesar caleb calvin
carl carlos cecil cedric charles charley charlie christian christopher chuck clarence claude clement
clifford clive colin conrad cornelius craig cuthbert cyril cyrus damian damon dan daniel danny
darius dave david dean denis dennis derek dick diego dimitri dmitri dominic donald douglas duncan
earl ebenezer ed eddie edgar edmund edward edwin elias elijah eliot elliott emil emile enoch eric
ernest ethan etienne eugene eustace evan ezra felix ferdinand fernando finn francis franz frank fred
frederic frederick gabriel gareth gary gaston geoffrey george gerald gideon gilbert giles giovanni
godfrey gordon graham greg gregory guido gus gustav guy hal hank hans harold harry harvey hector
henri henry herbert herman hiram homer horace horatio howard hubert huck hugh hugo humphrey ian
ignatius igor ike ira isaac isaiah ishmael ivan jabez jack jackson jacob jacques jake jamal james
jan jason jasper javier jean jed jeff jeffrey jem jeremiah jeremy jerome jerry jesse jim jimmy joe
joel johann john johnny jonah jonas jonathan jonny jorge jose joseph josh joshua josiah juan jude
jules julian julius justin karl keith ken kenneth kevin kurt lance lancelot larry laurence lawrence
lee leo leon leonard leopold leroy leslie lewis liam lionel lloyd louis lucas lucian ludwig luigi
luis luke luther magnus malcolm marcel marco marcus mario mark marmaduke martin matt matteo matthew
maurice max maximilian melvin merlin michael miguel mike mikhail miles milo montague mordecai morris
mortimer moses muhammad nat nathan nathaniel ned neil neville nicholas nick nicolas nigel noah noel
norman oliver omar oscar oswald otto owen pablo paddy pat patrick paul pedro percival percy perry
pete peter philip phillip phineas pierre pip quentin ralph ramon raoul raphael raymond reginald
reuben rex richard rick robert robin roderick rodney roger roland rolf ron ronald rory ross roy
rudolf rupert russell salvatore sam samuel saul scott sean sebastian septimus sergei seth shane sid
sidney silas simeon simon solomon stan stanley stefan stephen steve steven stuart sylvester ted
terence terry thaddeus theo theodore theobald theophilus thomas tim timothy titus tobias toby tom
tommy tony tristan tyler ulysses uriah valentine vernon victor vincent vladimir vronsky wallace
walter warren wilbur wilfred wilhelm will willard william willie willoughby winston xavier zachary
zeke tybalt romeo alyosha fyodor nikolai pavel pyotr piotr rodion sasha vanya yuri akira hiroshi
kenji takeshi ravi arjun ahmed ali hassan hussein ibrahim yusuf wei kael alaric aldous ansel brett
brad brent bryan cameron chad cody connor corey curtis darren derrick devin drake dustin dylan elton
ernie ezekiel floyd garrett glen grant gunnar harlan ivor jared jarvis jay jefferson joaquin kirk
kyle lars logan lonnie lucius marshall mason maynard micah mitch mitchell monty nolan olaf orville
pascal preston quincy randall randolph randy ray reggie rhys rod rufus rusty sherlock sven thor
tobin trent trevor troy ulrich urban vance virgil wade ward wendell wesley wyatt zane lorenzo obed
hezekiah jedediah obadiah zebedee zachariah zechariah timotheus tobit zadok amasa asahel barnabas
caspar casper clovis columbus constantine crispin cyprian eleazar eli eliphalet elkanah ephraim
erasmus esau ethelbert evander everard ferris fergus gamaliel gervase hannibal hercules hilary hosea
ichabod ingram isidore japheth jeroboam jotham lambert laurie lemuel leander levi linus llewellyn
lodowick lucien ludovic malachi manfred mathias matthias maximus melchior nahum napoleon nehemiah
nicodemus octavius orlando orson otis ozias peregrine phileas pliny rafe rastus remus rodolph rollo
royal ruggles salathiel salvator sampson samson shadrach sholto sigismund silvester solon stepan
thady thorold torquil tristram ulick uncas waldo wilfrid winthrop zeb ismail mustafa abdullah rashid
sanjay ramesh kofi kwame tyrone malik andrei grigory anton vasily semyon yegor ilya guillaume
philippe armand gaspard honore remy sebastien thierry wolfgang heinrich dietrich friedrich gunther
klaus konrad siegfried werner giuseppe carlo enrico filippo giacomo paolo pietro vincenzo alonso
gonzalo rodrigo sancho esteban hernando asher kai axel dane jett cade ryder colt tex clem lem job
cole beau lafayette
abel absalom achilles adolphus alasdair alastair alban aloysius alphonse alphonso amyas anatole
andreas anselm armando augustin aurelius baptiste bartley bastien benvenuto beppo bertrand bevis
bjorn boniface brendan cassius chauncey cosmo dermot desmond didier dionysius edouard egbert elihu
elisha emanuel ettore fabian fabien florian fulke georges gerard gilles gottfried grigori gustave
hamish helmut hendrik hermann humphry ignacio immanuel inigo jacopo jaime jephthah jethro joachim
justus knut konstantin laban launcelot lazarus leonce lothario luc luca lysander manuel marcelin
marius mathieu micajah mikael moritz narcisse niccolo odo patroclus phelim philemon pompey rafael
ramiro ranald randal ricardo ruggiero seamus selim silvain sylvanus tancred theodoric thibault
tiberius torvald ulric vasili yakov yves zedekiah
aimé andré andrés björn désiré françois frédéric félix grégoire gérard honoré jesús josé joão jérôme
jürgen léandre léon léopold noël ramón rené rémy sándor sébastien théo théodore théophile tomás
édouard émile étienne
"""
_FEMALE = """
abigail ada adela adelaide adele adeline agatha agnes aileen alberta alexandra alice alicia alison
amanda amber amelia amy anastasia andrea angela angelica angelina anita ann anna annabel anne
annette annie antoinette antonia arabella astrid audrey augusta aurelia aurora barbara beatrice
becky belinda bella bernadette bertha beryl bess bessie beth betsy betty beverly blanche brenda
bridget camilla candace carla carlotta carmen carol caroline carrie catalina catherine cathy cecilia
cecily celeste celia celine charlotte chloe christabel christiana christina christine clara clarissa
clarisse claudia clementina cleopatra colette constance consuelo cora cordelia cornelia cynthia
daisy daphne dawn deborah delia denise desdemona diana diane dina dinah dolly dolores dominique
donna dora doris dorothea dorothy edith edna eileen elaine eleanor elena elinor elise elisabeth
eliza elizabeth ella ellen elsa elsie elspeth emilia emily emma emmeline erica erin ernestine
esmeralda estella estelle esther ethel etta eudora eugenia eunice euphemia eva evangeline eve
evelina evelyn fanny felicia fiona flora florence frances francesca freda frieda gabrielle genevieve
georgiana georgina geraldine gertrude gina ginny gladys gloria grace greta griselda gretchen
guinevere gwen gwendolen gwendolyn hannah harriet hattie heather hebe hedda helen helena helene
henrietta hermia hermione hester hetty hilda honoria hortense ida imogen ines inez ingrid irene iris
isabel isabella isadora isolde jacqueline jane janet janice jean jeanne jennie jennifer jenny
jessica jessie jill joan joanna jocelyn josephine joyce juanita judith judy julia juliana julie
juliet june karen kate katharine katherine kathleen katie katrina kay kirsten kitty lara laura
lavinia leah leila lena leonora leslie leticia letitia letty lillian lily linda lisa lizzie lizzy
lois lola lora loretta lottie louisa louise lucia lucille lucinda lucretia lucy lydia mabel
madeleine madeline mae maggie magdalena maisie mamie marcella marcia margaret margery margot
marguerite maria marian marianne marie marietta marilyn marina marion marjorie martha mary mathilda
matilda maud maude maureen may megan melanie melina melissa mercedes mercy meredith mildred
millicent mimi mina minerva minnie miranda miriam molly mona monica morgan muriel myra myrtle nadia
nadine nan nancy naomi natalia natalie natasha nell nellie nelly nettie nicole nina nora norah norma
octavia olga olive olivia ophelia pamela pandora patience patricia patty paula pauline pearl peggy
penelope penny perdita petra philippa phoebe phyllis polly portia priscilla prudence rachel ramona
rebecca regina rhoda rita roberta romola rosa rosalie rosalind rosaline rosamond rosanna rose
rosemary rosetta rosie rosina roxana ruby ruth sabrina sadie sally samantha sandra sara sarah selena
selina serena sharon sheila shirley sibyl sidonie sonia sophia sophie sophy stella stephanie sue
susan susanna susannah susie suzanne sybil sylvia tabitha tamara tatiana tess tessa thea thelma
theodora theresa therese thomasina tilly tina ursula valerie vanessa vera verena veronica victoria
viola violet virginia viv vivian wanda wendy wilhelmina willa winifred yolanda yvette yvonne zara
zelda zoe ayesha fatima yasmin mei sakura yuki hana priya anya katya masha sonya dunya grushenka
brianna brittany caitlin chelsea courtney crystal danielle eliana elara ember freya hazel heidi jade
jasmine kaitlyn kara kelly kendra kimberly kristen lana lauren luna lyra mackenzie madison maya
melody mia michelle nova paige raven robin rowan seraphina sierra skye stacy tara tiffany tracy
vivienne willow almira araminta asenath avis azubah bathsheba bellona berenice cassandra celestine
charity cicely clarinda corinna damaris delilah deliverance dorcas drusilla dulcie effie electa
eloise ethelinda eulalia evadne felicity fidelia fleda gerda gudrun gwendoline hagar hephzibah
sigrid
hepzibah hippolyta hulda hypatia ianthe jael jemima jerusha jessamine jocasta juno kezia leonie
lettice lilith lorna lucasta lucetta madelon mahala marcelline mehitabel melinda merle minna modesty
myrtilla narcissa nerissa nicolette odette olympia ottilie parthenia penitence perpetua persis
petronella phebe philomela pleasance prue psyche rosabel rosalba sabina salome sapphira sidonia
sophronia tamar temperance thyrza tryphena ulrica urania venetia vivien xenia zenobia zilpah
zipporah zuleika aisha amina zainab noor anjali lakshmi sita indira hanako ling svetlana nadezhda
varvara marfa praskovya lizaveta avdotya mathilde odile heloise lotte liesl brunhilde kriemhild ilse
trude bianca chiara giulia pilar rosalia teresa esperanza imani zola nia amara kira nyx aria elowen
thomasine albertine clementine justine georgette babette lisette suzette rochelle
agathe aline althea amabel amelie ariadne berthe bettina bronwen camille cecile claire clarice
clorinda clotilde cressida dagmar delphine dorinda edwina elodie elvira eugenie fanchon flavia
germaine goneril hedwig henriette ingeborg isabelle jeannette josette karin keziah laetitia liane
liesel lilian lilias lisbeth lucette lucienne lucrezia maida manon manuela marcelle marthe mavis
mehetabel mirabel morag nanette ninon noemi oriana ottilia rowena solveig sylvie thalia thekla thora
tillie toinette valeria victoire violante yolande zelia zillah
adèle agnès aimée amélie clémence cécile céleste désirée eugénie françoise félicité geneviève
héloïse hélène inès irène joséphine léa léonie maría mélanie mélisande renée thérèse valérie zoé
édith élisabeth élise élodie
"""
MALE_NAMES = parse_words(_MALE)
FEMALE_NAMES = parse_words(_FEMALE)
_SHORT = frozenset(short for shorts in SHORT_FORMS.values() for short in shorts)
FIRST_NAMES = MALE_NAMES | FEMALE_NAMES | frozenset(SHORT_FORMS) | _SHORT
"""Lower case; some are surnames or words too, so that each is a hint and no proof."""


def get_name_gender(name: str) -> str:
    """Return "m" or "f" for a lower-case first name that only men or only women bear, else ""."""
    male, female = name in MALE_NAMES, name in FEMALE_NAMES
    if male == female:
        return ""
    return "m" if male else "f"
