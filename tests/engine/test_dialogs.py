"""The dialogs of Windows' loader in the languages of its editions: a library that is absent, a function that is."""

from __future__ import annotations

import pytest

from whyload.engine.explain import explain

ABSENT = {
    "de": "Die Ausführung des Codes kann nicht fortgesetzt werden, da {} nicht gefunden wurde.",
    "de7": "Das Programm kann nicht gestartet werden, da {} auf dem Computer fehlt.",
    "fr": "L’exécution de code ne peut pas continuer, car {} est introuvable.",
    "fr7": "Impossible de démarrer le programme car il manque {} sur votre ordinateur.",
    "es": "La ejecución de código no puede continuar porque no se encontró {}.",
    "es7": "No se puede iniciar el programa porque falta {} en el equipo.",
    "it": "Impossibile proseguire l'esecuzione del codice perché {} non è stato trovato.",
    "it7": "Impossibile avviare il programma. {} mancante nel computer in uso.",
    "pt": "A execução de código não pode continuar porque {} não foi encontrado.",
    "pt7": "O programa não pode ser iniciado porque está faltando {} no seu computador.",
    "ru": "Не удается продолжить выполнение кода, поскольку система не обнаружила {}.",
    "ru7": "Запуск программы невозможен, так как на компьютере отсутствует {}.",
    "pl": "Nie można kontynuować wykonywania kodu, ponieważ nie znaleziono {}.",
    "pl7": "Nie można uruchomić programu, ponieważ na komputerze brakuje {}.",
    "tr": "{} bulunamadığından kod yürütmesi devam edemiyor.",
    "tr7": "Bilgisayarınızda {} eksik olduğundan program başlatılamıyor.",
    "ja": "{} が見つからないため、コードの実行を続行できません。",
    "ja7": "コンピューターに {} がないため、プログラムを開始できません。",
    "ko": "{}을(를) 찾을 수 없어 코드 실행을 진행할 수 없습니다.",
    "ko7": "컴퓨터에 {}이(가) 없어 프로그램을 시작할 수 없습니다.",
    "zh": "由于找不到 {}，无法继续执行代码。重新安装程序可能会解决此问题。",
    "zh7": "无法启动此程序，因为计算机中丢失 {}。尝试重新安装该程序以解决此问题。",
    "tw": "因為找不到 {}，所以無法繼續執行程式碼。重新安裝程式或許可以修正此問題。",
    "tw7": "程式無法啟動，因為您的電腦遺失 {}。請嘗試重新安裝該程式以修正此問題。",
}
"""As Windows 10 words it, and Windows 7 (`7`)."""

NO_FUNCTION = {
    "fr": "Le point d’entrée de procédure {} est introuvable dans la bibliothèque de liens dynamiques {}.",
    "es": "No se encuentra el punto de entrada del procedimiento {} en la biblioteca de vínculos dinámicos {}.",
    "pt": "Não foi possível localizar o ponto de entrada do procedimento {} na biblioteca de vínculo dinâmico {}.",
    "it": "Impossibile trovare il punto di ingresso {} della procedura nella libreria di collegamento dinamico {}.",
    "ru": "Точка входа в процедуру {} не найдена в библиотеке DLL {}.",
    "pl": "Nie znaleziono punktu wejścia procedury {} w bibliotece DLL {}.",
    "ko": "프로시저 시작 지점 {}을(를) DLL {}에서 찾을 수 없습니다.",
    "tw": "找不到程序輸入點 {} 於動態連結程式庫 {}。",
    "de": 'Der Prozedureinsprungpunkt "{}" wurde in der DLL "{}" nicht gefunden.',
}


@pytest.mark.parametrize("language", ABSENT)
def test_a_library_that_a_dialog_names_is_absent(language: str) -> None:
    candidates = explain(ABSENT[language].format("VCRUNTIME140.dll")).candidates
    assert candidates[0].code == "missing-vc-runtime"
    assert (candidates[0].object or "").lower() == "vcruntime140.dll"


@pytest.mark.parametrize("language", NO_FUNCTION)
def test_a_function_that_a_dialog_names_is_absent(language: str) -> None:
    candidates = explain(NO_FUNCTION[language].format("SetThreadDescription", "KERNEL32.dll")).candidates
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
