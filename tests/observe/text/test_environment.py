"""The machine that a text describes. The banner of Python is that of python.org's 3.8.10; the sentence of error 193
is Microsoft's ("System Error Codes"); Qt's is that of qt/qtbase src/gui/kernel/qguiapplication.cpp, whose platform
plugins are each built for one system (src/plugins/platforms)."""

from __future__ import annotations

import pytest

from whyload.engine.explain import explain
from whyload.observe.text.clues import Platform
from whyload.observe.text.reading import read_clues

QT = 'qt.qpa.plugin: Could not load the Qt platform plugin "{}" in "" even though it was found.\n'
BANNER = "Python 3.8.10 (tags/v3.8.10:3d8993a, May  3 2021, 11:48:03) [MSC v.1928 64 bit (AMD64)] on win32"


@pytest.mark.parametrize(
    "text",
    [
        f"{BANNER}\nImportError: DLL load failed: x",
        "OSError: [WinError 193] %1 is not a valid Win32 application",
        "ERROR: torch-2.0.0-cp310-cp310-win_amd64.whl is not a supported wheel on this platform.",
    ],
)
def test_a_mark_of_windows_is_no_name_of_a_system(text: str) -> None:
    clues = read_clues(text)
    assert (clues.platform, clues.system) == (Platform.WINDOWS, "Windows")


@pytest.mark.parametrize(
    ("plugin", "platform"), [("xcb", "linux"), ("wayland-egl", "linux"), ("windows", "windows"), ("cocoa", "macos")]
)
def test_a_plugin_of_qt_tells_the_system(plugin: str, platform: str) -> None:
    explanation = explain(QT.format(plugin))
    assert explanation.platform == platform
    assert explanation.candidates


def test_a_plugin_of_every_system_tells_none() -> None:
    assert explain(QT.format("offscreen")).platform is None


def test_a_category_of_qt_is_no_package() -> None:
    assert read_clues(f"Windows 10\n{QT.format('windows')}").remarks == {}
