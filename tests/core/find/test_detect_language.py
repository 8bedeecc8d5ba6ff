"""The language of a text is told where it is clear, and not guessed where it is not."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.detect_language import (
    MAX_CHARS,
    _split_prose,
    detect_language,
    detect_text_language,
    parse_language,
)
from cortexfs.core.find.language_profiles import LANGUAGES, SCRIPTS
from cortexfs.core.find.unspaced_scripts import is_in_ranges

TEXTS = {
    "en": "The gateway keeps a connection open for ten minutes, and then it is closed by the host.",
    "de": "Die Verbindung wird nach zehn Minuten geschlossen, wenn sie nichts mehr überträgt.",
    "nl": "De verbinding wordt na tien minuten gesloten als er niets meer wordt verstuurd.",
    "sv": "Anslutningen stängs efter tio minuter om den inte har skickat något under tiden.",
    "da": "Forbindelsen bliver lukket efter ti minutter, hvis den ikke har sendt noget.",
    "no": "Forbindelsen blir lukket etter ti minutter hvis den ikke har sendt noe.",
    "fi": "Yhteys suljetaan kymmenen minuutin jälkeen, jos se ei ole enää käytössä.",
    "fr": "La connexion est fermée après dix minutes si elle ne transporte plus rien.",
    "es": "La conexión se cierra después de diez minutos si no se envía nada por ella.",
    "pt": "A conexão é fechada depois de dez minutos se não for mais usada pelo servidor.",
    "it": "La connessione viene chiusa dopo dieci minuti se non è più usata dal server.",
    "ca": "La connexió es tanca després de deu minuts si no s'utilitza més per això.",
    "ro": "Conexiunea este închisă după zece minute dacă nu mai este folosită de server.",
    "hu": "A kapcsolat tíz perc után bezárul, ha már nem használja azt a kiszolgáló.",
    "tr": "Ba\u011flant\u0131 on dakika sonra kapan\u0131r, e\u011fer daha fazla veri yok ise.",
    "pl": "Połączenie jest zamykane po dziesięciu minutach, jeśli nie jest już używane.",
    "cs": "Spojení je po deseti minutách uzavřeno, pokud se již nepoužívá a není aktivní.",
    "et": "Ühendus suletakse kümne minuti pärast, kui seda enam ei ole vaja ja see on tühi.",
    "lt": "Ryšys yra uždaromas po dešimties minučių, jei jis nėra naudojamas.",
    "id": "Koneksi akan ditutup setelah sepuluh menit jika tidak digunakan oleh server.",
    "eu": "Konexioa hamar minuturen ondoren ixten da, eta ez da erabiltzen.",
    "ga": "Tá an nasc dúnta tar éis deich nóiméad agus níl sé in úsáid.",
    "el": "Σύνδεση κλείνει μετά από δέκα λεπτά.",
    "ru": "Соединение закрывается через десять минут.",
    "hy": "Կապը փակվում է տասը րոպե անց",
    "he": "החיבור נסגר אחרי עשר דקות.",
    "ar": "يتم إغلاق الاتصال بعد عشر دقائق.",
    "hi": "कनेक्शन दस मिनट बाद बंद हो जाता है।",
    "ta": "பத்து நிமிடங்களுக்குப் பிறகு இணைப்பு மூடப்படும்.",
    "th": "การเชื่อมต่อจะปิดหลังจากสิบนาที",
    "ko": "연결은 십 분 후에 닫힙니다.",
    "ja": "接続は十分後に閉じられます。",
    "zh": "连接在十分钟后关闭。",
}
GERMAN = TEXTS["de"]


def test_there_is_a_text_in_each_language() -> None:
    assert TEXTS.keys() == LANGUAGES.keys() | SCRIPTS.keys()


@pytest.mark.parametrize("code", TEXTS)
def test_one_sentence_tells_its_language(code: str) -> None:
    assert detect_language(TEXTS[code]) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pg_dump --schema-only",
        "tcp_keepalives_idle=60 src/auth/store.go",
        "TODO FIXME WIP",
        "Ändern Übung",
        "Передача є готова",  # Ukrainian, which has no stemmer
        "x" * 10_000,
    ],
)
def test_without_evidence_there_is_no_language(text: str) -> None:
    assert detect_language(text) == ""


def test_code_in_a_text_does_not_count() -> None:
    code = "if the value is not in this list then return it and continue with the others\n"
    fenced = f"```\n{code * 5}```\n"
    assert detect_language(fenced + GERMAN) == "de"
    assert detect_language(f"`{code.strip()}` {GERMAN}") == "de"
    assert detect_language(f"<!-- {code * 3} --> {GERMAN}") == "de"


def test_a_chinese_text_with_identifiers_is_chinese() -> None:
    assert detect_language("使用 `pytest` 运行测试。配置在 pyproject 里。") == "zh"
    assert detect_language("The name 向量 is used in the index and in the queries.") == "en"


def test_a_field_of_the_atom_says_it() -> None:
    assert detect_text_language({"lang": "de"}, TEXTS["en"]) == "de"
    assert detect_text_language({"language": "Swedish"}, "") == "sv"
    assert detect_text_language({"language": "python"}, GERMAN) == "de"
    assert detect_text_language({"lang": ["de"]}, TEXTS["en"]) == "en"
    assert detect_text_language({"title": "Die Verbindung ist nicht mehr da"}, "x") == "de"


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        *(("de", "de"), ("DE", "de"), ("pt-BR", "pt"), ("zh_CN", "zh"), ("german", "de")),
        *(("nb", "no"), ("Norwegian", "no"), ("Klingon", ""), ("", ""), ("russian", "ru")),
    ],
)
def test_a_language_is_read_by_code_or_name(typed: str, code: str) -> None:
    assert parse_language(typed) == code


def test_a_short_query_is_one_of_the_languages_of_the_tree() -> None:
    assert detect_language("wo ist die Verbindung", among=["de", "nl"]) == "de"
    assert detect_language("where is the connection", among=["de", "nl"]) == "en"
    assert detect_language("Verbindung", among=["de"]) == ""


@given(st.text(max_size=300))
def test_any_text_has_a_known_language_or_none(text: str) -> None:
    assert detect_language(text) in {"", *LANGUAGES, *SCRIPTS}


@pytest.mark.parametrize("ranges", [ranges for _, ranges in SCRIPTS.values()], ids=SCRIPTS)
def test_ranges_have_the_letters_that_they_have_in_a_pattern(ranges: str) -> None:
    pattern = re.compile(f"[{ranges}]")
    for each in {code for edge in map(ord, ranges) for code in (edge - 1, edge, edge + 1)}:
        assert is_in_ranges(chr(each), ranges) == bool(pattern.match(chr(each)))


@pytest.mark.parametrize("piece", ["<!-- ", "```\n", "`", "ä ", "die ", "中a", "a\u0301"])
def test_a_megabyte_takes_no_longer_than_its_beginning(piece: str) -> None:
    begin = time.process_time()
    detect_language(piece * (1_000_000 // len(piece)))
    assert time.process_time() - begin < 1
    assert len(piece) < MAX_CHARS


@given(st.text(st.characters(max_codepoint=127), max_size=200))
def test_a_text_in_ascii_has_the_words_that_it_has_beside_other_letters(text: str) -> None:
    assert _split_prose(f"{text} \u00e9") == [*_split_prose(text), "\u00e9"]
