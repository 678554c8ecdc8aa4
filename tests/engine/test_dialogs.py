"""The dialogs of Windows' loader in the languages of its editions: a library that is absent, a function that is."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest

from whyload.engine.explain import explain

ABSENT = {
    "de": "Die Codeausführung kann nicht fortgesetzt werden, da {} nicht gefunden wurde.",
    "de-other": "Die Ausführung des Codes kann nicht fortgesetzt werden, da {} nicht gefunden wurde.",
    "de7": "Das Programm kann nicht gestartet werden, da {} auf dem Computer fehlt.",
    "fr": "Impossible d’exécuter le code, car {} est introuvable.",
    "fr-other": "L'exécution du code ne peut pas continuer car {} est introuvable.",
    "fr7": "Impossible de démarrer le programme car il manque {} sur votre ordinateur.",
    "es": "La ejecución de código no puede continuar porque no se encontró {}.",
    "es7": "No se puede iniciar el programa porque falta {} en el equipo.",
    "es7b": "El programa no se puede iniciar porque falta el archivo {} en el equipo.",
    "it": "L'esecuzione del codice non può proseguire perché {} non è stato trovato.",
    "it-other": "Impossibile proseguire l'esecuzione del codice perché {} non è stato trovato.",
    "it7": "Impossibile avviare il programma. {} mancante nel computer in uso.",
    "pt": "A execução de código não pode continuar porque {} não foi encontrado.",
    "pt7": "O programa não pode ser iniciado porque está faltando {} no seu computador.",
    "pt7b": "O programa não pode começar porque {} está faltando no seu computador.",
    "ru": "Не удается продолжить выполнение кода, поскольку система не обнаружила {}.",
    "ru7": "Запуск программы невозможен, так как на компьютере отсутствует {}. Попробуйте переустановить программу.",
    "pl": "Nie można kontynuować wykonywania kodu, ponieważ nie znaleziono {}.",
    "pl7": "Nie można uruchomić programu, ponieważ na komputerze brakuje {}.",
    "pl7b": "Nie można uruchomić programu, ponieważ na komputerze brakuje pliku {}.",
    "tr": "{} bulunamadığından kod yürütmesi devam edemiyor.",
    "tr7": "Bilgisayarınızda {} eksik olduğundan program başlatılamıyor.",
    "tr7b": "{} bilgisayarınızdan eksik olduğundan program başlatılamıyor.",
    "tr-xp": "{} bulunamadığından uygulama başlatılamadı.",
    "ja": "{} が見つからないため、コードの実行を続行できません。",
    "ja7": "コンピューターに {} がないため、プログラムを開始できません。",
    "ja7b": "コンピュータに {} がないため、プログラムを開始できません。",
    "ko": "{}이(가) 없어 코드 실행을 진행할 수 없습니다. 프로그램을 다시 설치하면 이 문제가 해결될 수 있습니다.",
    "ko7": "컴퓨터에 {}이(가) 없어 프로그램을 시작할 수 없습니다. 프로그램을 다시 설치하여 이 문제를 해결하십시오.",
    "zh": "由于找不到 {}，无法继续执行代码。重新安装程序可能会解决此问题。",
    "zh7": "无法启动此程序，因为计算机中丢失 {}。尝试重新安装该程序以解决此问题。",
    "tw": "因為找不到 {}，所以無法繼續執行程式碼。重新安裝程式或許可以修正此問題。",
    "tw7": "無法啟動此程式，因為您的電腦遺失 {}。",
    "tw7b": "程式無法啟動，因為電腦中遺失 {}。請嘗試重新安裝程式以修正此問題。",
}
"""As Windows 10 words it, and Windows 7 and XP (`7`, `xp`); further letters: another wording."""

UNVERIFIED = {"de-other", "fr7", "it-other", "it7", "pt7", "pl", "tr", "tr7", "tw"}
"""The others stand in public repositories word by word, those of Windows 7 in Microsoft's pages on installing .NET too.
Of these the whole sentence was found in none.
"""

NO_FUNCTION = {
    "fr": "Le point d’entrée de procédure {} est introuvable dans la bibliothèque de liens dynamiques {}.",
    "es": "No se encuentra el punto de entrada del procedimiento {} en la biblioteca de vínculos dinámicos {}.",
    "es2": "No se encuentra el punto de entrada del procedimiento {} en la biblioteca {}.",
    "pt": "Não foi possível localizar o ponto de entrada do procedimento {} na biblioteca de vínculo dinâmico {}.",
    "ptf": "Nao foi possivel localizar o ponto de entrada do procedimento {} na biblioteca de vinculo dinamico {}.",
    "it": "Impossibile trovare il punto di ingresso {} della procedura nella libreria di collegamento dinamico {}.",
    "ru": "Точка входа в процедуру {} не найдена в библиотеке DLL {}.",
    "ru2": "Не найдена точка входа в процедуру {} в библиотеке {}",
    "pl": "Nie znaleziono punktu wejścia procedury {} w bibliotece DLL {}.",
    "ko": "프로시저 시작 지점 {}을(를) DLL {}에서 찾을 수 없습니다.",
    "ja": "プロシージャ エントリ ポイント {} がダイナミック リンク ライブラリ {} から見つかりませんでした。",
    "zh": "无法定位程序输入点 {} 于动态链接库 {} 上。",
    "tw": "找不到程序輸入點 {} 於動態連結程式庫 {}。",
    "de": 'Der Prozedureinsprungpunkt "{}" wurde in der DLL "{}" nicht gefunden.',
    "de2": "Der Prozedureinsprungpunkt {} wurde in der DLL {} nicht gefunden",
    "tr": "{} yordam giriş noktası, {} dinamik bağlantı kitaplığında bulunamadı.",
}
"""In public repositories word by word, except French, Italian, Polish (of which the beginning is) and `tw`."""

NAME = "VCRUNTIME140.dll"


def _folded(text: str) -> str:
    """Without the marks of its letters, as people write where a keyboard has none."""
    plain = unicodedata.normalize("NFKD", text.translate(str.maketrans("łı", "li")))
    return "".join(char for char in plain if not unicodedata.combining(char))


def _variations(sentence: str) -> Iterator[str]:
    said = sentence.format(NAME)
    yield said.rstrip(".。")
    yield said.replace(" ", "\u00a0")
    yield said.replace(NAME, "\n" + NAME)
    quotes = ('""', "''", "“”", "„“", "«»") if said[0].isascii() else ('""', "“”", "「」")
    yield from (sentence.format(f"{pair[0]}{NAME}{pair[1]}") for pair in quotes)


@pytest.mark.parametrize("language", ABSENT)
def test_a_library_that_a_dialog_names_is_absent(language: str) -> None:
    _assert_absent(ABSENT[language].format(NAME))


@pytest.mark.parametrize("language", ABSENT)
def test_a_dialog_in_other_quotes_and_lines(language: str) -> None:
    for text in _variations(ABSENT[language]):
        _assert_absent(text)


@pytest.mark.parametrize("language", [name for name in ABSENT if ABSENT[name].format("").lstrip()[:1].isascii()])
def test_a_dialog_without_the_marks_of_its_letters(language: str) -> None:
    _assert_absent(_folded(ABSENT[language].format(NAME)))


@pytest.mark.parametrize(
    "language", [name for name in ABSENT if name[:2] in ("de", "fr", "es", "it", "pt", "pl", "tr")]
)
def test_a_dialog_read_in_the_wrong_code_page(language: str) -> None:
    said = ABSENT[language].format(NAME)
    _assert_absent(said.encode().decode("cp1252", "replace"))
    page = {"pl": "cp1250", "tr": "cp1254"}.get(language[:2], "cp1252")
    _assert_absent(said.encode(page).decode("utf-8", "replace"))


def _assert_absent(text: str) -> None:
    candidates = explain(text).candidates
    assert candidates, text
    assert candidates[0].code == "missing-vc-runtime", text
    assert (candidates[0].object or "").lower() == NAME.lower(), text


def test_what_is_unverified_is_there() -> None:
    assert set(ABSENT) >= UNVERIFIED


@pytest.mark.parametrize("library", ["KERNEL32.dll", "C:\\Windows\\System32\\KERNEL32.dll"])
@pytest.mark.parametrize("language", NO_FUNCTION)
def test_a_function_that_a_dialog_names_is_absent(language: str, library: str) -> None:
    candidates = explain(NO_FUNCTION[language].format("SetThreadDescription", library)).candidates
    assert candidates[0].code == "windows-too-old"
    assert "SetThreadDescription" in candidates[0].why.en


def test_a_decorated_name_beside_a_library_is_known_in_any_language() -> None:
    """No sentence of Dutch is stored: the form of the name is enough."""
    text = (
        r"Het ingangspunt ?decref@TensorImpl@c10@@UEBAXXZ is niet gevonden in DLL-bestand "
        r"D:\v\Lib\site-packages\torchcodec\libtorchcodec_core8.dll"
    )
    assert explain(text).candidates[0].code == "torch-abi-mismatch"


def test_a_linker_that_misses_a_decorated_name_is_no_dialog() -> None:
    text = (
        "a.obj : error LNK2019: unresolved external symbol (?f@@YAXXZ) referenced in function g\n"
        "build\\lib\\a.pyd : fatal error LNK1120: 1 unresolved externals"
    )
    assert explain(text).candidates[0].code == "build-failed"
