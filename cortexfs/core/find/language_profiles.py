"""What tells languages apart: frequent words and letters, for the detection of languages."""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """A language: its name in Snowball, its frequent words, and letters that few others have.

    The words are function words: they are in any text, whatever it is about. Words of a single
    letter are left out, since code is full of them.
    """

    name: str
    words: str
    letters: str = ""


LANGUAGES = {
    "en": Language(
        "english",
        """the of and to in is that for it with as be on by this are at from or have an was were
        not which has but its they their can will would there if been when more all no so one
        about into than them only some could these may then do does what we you your our he she
        his her should must after before how why where who because while without between each
        see any also am me my per come via non over under up out new use used using""",
    ),
    "de": Language(
        "german",
        """der die das und in den von zu mit sich des auf für ist im dem nicht ein eine als auch es
        an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen
        so zum war haben nur oder aber vor zur bis mehr durch man sein wurde wurden kann muss
        wenn wir ich ihr ihre seine diese dieser dieses kein keine müssen können soll sollte
        beim vom unter zwischen ohne gegen damit weil jedoch bereits hier dort jede jeder alle
        warum wo was welche wann""",
        "äöüß",
    ),
    "nl": Language(
        "dutch",
        """de het een van en in is dat op te zijn met voor niet aan er om ook als dan maar bij uit
        nog naar heeft worden wordt door over tot ze hij wij deze dit die kan kunnen moet moeten
        zal zou werd geen meer wel hun haar onze zonder tussen wanneer waar hoe wat waarom
        alleen andere alle tegen omdat zodat onder na hebben niets iets elke""",
        "ë",
    ),
    "sv": Language(
        "swedish",
        """och att det som en på är av för med den till inte om har ett var de jag men från vi kan
        när så också eller efter ska skall vid han hon sig sin sina mot över under mellan utan
        alla måste inga ingen något några blir blev bli hur vad varför där här denna detta dessa
        endast bara redan varje används kunde""",
        "åäö",
    ),
    "da": Language(
        "danish",
        """og at det er en til på som for med den af ikke der de har et var kan fra men om så vil
        også efter eller skal ved han hun sig sin mod over under mellem uden alle må ingen noget
        nogle bliver blev blive hvordan hvad hvorfor hvor hvis denne dette disse kun når
        allerede hver bruges kunne være været""",
        "æøå",
    ),
    "no": Language(
        "norwegian",
        """og det er en til på som for med den av ikke de har et var kan fra men om så vil også
        etter eller skal ved han hun seg sin mot over under mellom uten alle må ingen noe noen
        blir ble bli hvordan hva hvorfor hvor hvis denne dette disse når allerede hver brukes
        kunne være vært å""",
        "æøå",
    ),
    "fi": Language(
        "finnish",
        """ja on ei se että ole oli myös mutta kun tai niin joka jos hän ovat voi kuin sen tämä
        tämän jotka jonka mitä miksi missä miten vain sekä kanssa sitten mukaan ennen jälkeen
        ilman voidaan pitää olla siitä siinä tässä nämä kaikki ellei joko eivät näytä""",
        "äö",
    ),
    "fr": Language(
        "french",
        """le la les de des du et en un une est que qui dans pour pas sur ne se au aux ce cette ces
        avec par il elle sont plus ou mais comme son sa ses leur leurs nous vous ils être avoir
        fait peut sans sous entre après avant lorsque quand pourquoi où comment donc alors aussi
        tout tous toutes si été était soit doit doivent chaque car cela même""",
        "éèêçàùœ",
    ),
    "es": Language(
        "spanish",
        """el la los las de del que en un una es por con para no se al lo como su sus más pero este
        esta estos estas son ser está están fue ha han si sin sobre entre cuando donde también
        ya hay muy puede pueden debe deben porque desde hasta cada todos todas ese esa nos les
        otro otra otros qué cómo cuál según antes después aunque solo sólo""",
        "ñ¿¡áéíóú",
    ),
    "pt": Language(
        "portuguese",
        """os as de do da dos das que em um uma para com não por no na nos nas ao aos se como mais
        mas foi ser é são está estão tem ou seu sua seus suas pelo pela este esta isso também já
        quando onde muito pode podem deve devem sem sobre entre até cada todos todas porque qual
        depois antes apenas você ele ela eles às""",
        "ãõçáéíóúâê",
    ),
    "it": Language(
        "italian",
        """il lo la gli le di del della dei delle dello che in un una uno per con non si da dal
        dalla al alla ai alle nel nella nei nelle sul sulla è sono come più ma anche se questo
        questa questi queste essere viene vengono può possono deve devono ha hanno quando dove
        perché cosa ogni tutti tutte senza tra fra dopo prima oppure ed quale quali quello""",
        "àèìòù",
    ),
    "ca": Language(
        "catalan",
        """el la els les de del dels que en un una és per amb no se al als com més però aquest
        aquesta aquests aquestes són ser està fou ha han si sense sobre entre quan on també ja
        hi molt pot poden cal perquè des fins cada tots totes seu seva seus seves pel pels això
        quin què abans després només""",
        "·çàèéíòóú",
    ),
    "ro": Language(
        "romanian",
        """și de la în cu pe un o să nu din este care pentru mai sunt că ce se ca sau fi fost după
        prin până între fără dacă când unde acest această aceste acestui lui ei lor poate pot
        trebuie doar toate toți fiecare asupra însă dar iar cum are au fie i-a într-un unei unui
        decât""",
        "ășțâîşţ",
    ),
    "hu": Language(
        "hungarian",
        """az és hogy nem egy ez is meg csak de ha van vagy mint már még után ezt azt volt lehet
        kell amely minden között nélkül szerint által pedig ami aki ahol hol miért hogyan mert
        majd ezek azok akkor amikor ezen előtt alatt nincs illetve valamint""",
        "őűáéíóúöü",
    ),
    "tr": Language(
        "turkish",
        """bir ve bu için ile olarak da de olan daha gibi çok en ne kadar sonra her ancak ama veya
        ya değil var yok ise olduğu tüm önce göre üzerinde taraf\u0131ndan eğer nas\u0131l neden
        nerede hangi şu ki bunu bunun mi değildir edilir olur""",
        "ğ\u0131şöüç",
    ),
    "pl": Language(
        "polish",
        """się na nie jest do to że jak za od po przez dla przy ale oraz lub czy są być może także
        tylko ten ta te tego tej tym tych który która które których już tak co gdy jeśli bez pod
        nad między został została był była było można należy każdy jego jej ich wszystkie gdzie
        dlaczego aby jeżeli""",
        "ąęłżźśćńó",
    ),
    "cs": Language(
        "czech",
        """se na je že to do pro jako by od po za ale nebo není jsou být může také pouze ten tato
        tento tyto který která které jež již tak co když pokud bez pod nad mezi byl byla bylo
        lze každý jeho její jejich všechny kde proč aby při ze ve jen než až musí""",
        "řěůčšžýáíé",
    ),
    "et": Language(
        "estonian",
        """ja on ei et see kui oli ka mis ta või aga siis seda kas nii selle pole kes oma veel
        välja juba saab peab enne pärast ilma vahel kõik ainult mida miks kus kuidas ning tema
        need olema ole""",
        "õäöü",
    ),
    "lt": Language(
        "lithuanian",
        """ir yra kad su į iš tai ar bet kaip nuo po apie buvo per ne jei taip pat kuris kuri kurie
        arba tik prieš tarp be visi kiekvienas gali turi kai kur kodėl dėl jo jos šis ši šios už
        iki nėra būti""",
        "ėųįūčšž",
    ),
    "id": Language(
        "indonesian",
        """yang dan di ini itu dengan untuk pada tidak dari dalam adalah akan ke juga atau oleh ada
        dapat karena bisa lebih sudah telah saat setelah sebelum tanpa antara jika maka agar
        bahwa mereka kami kita saya harus setiap semua hanya secara seperti bagaimana mengapa""",
    ),
    "eu": Language(
        "basque",
        """eta da ez du bat dira baina izan ere den hau dute zen dago edo egin behar duen dituen
        gabe arte ondoren baino hori horrek guztiak nola zergatik non beste dela zuen""",
    ),
    "ga": Language(
        "irish",
        """agus an na ar ag is go sé sí bhí tá ní leis don den ach atá nach mar chun faoi sin seo
        le gan idir roimh tar éis gach cad conas cén bhfuil""",
        "áéíóú",
    ),
}
"""The languages in Latin script, by their code (ISO 639-1)."""

SCRIPTS = {
    "el": ("greek", "\u0370-\u03ff\u1f00-\u1fff"),
    "ru": ("russian", "\u0400-\u04ff"),
    "hy": ("armenian", "\u0530-\u058f"),
    "he": ("", "\u0590-\u05ff"),
    "ar": ("arabic", "\u0600-\u06ff"),
    "hi": ("hindi", "\u0900-\u097f"),
    "ta": ("tamil", "\u0b80-\u0bff"),
    "th": ("", "\u0e00-\u0e7f"),
    "ko": ("", "\u1100-\u11ff\uac00-\ud7af"),
    "ja": ("", "\u3040-\u30ff"),
    "zh": ("", "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"),
}
"""The languages that their script tells: name in Snowball (or none), and ranges of letters."""

FOREIGN_LETTERS = {
    "ru": "іїєґўјљњћђџѓќѕқңғүұөһәӣҷҳ",
    "ar": "پچژگٹڈڑںےۓہھکیۆێە",
    "hi": "ळ",
}
"""Letters of other languages in the same script, for which there is no stemmer here."""

COMPOUNDING = frozenset({"de", "nl", "sv", "da", "no"})
"""The languages that write compounds as one word, and are split."""


def list_names() -> dict[str, str]:
    """Return the code of each known language by its name in English."""
    latin = {language.name: code for code, language in LANGUAGES.items()}
    return latin | {name: code for code, (name, _) in SCRIPTS.items() if name}
