"""Words that every kind of answer needs, in English and Simplified Chinese."""

from __future__ import annotations

from whyload.base.message import Message
from whyload.findings.certainty import Certainty
from whyload.remedies.model import Safety, Verified


def _m(en: str, zh: str) -> Message:
    return Message(en=en, zh=zh)


CERTAINTY = {
    Certainty.PROVED: _m("proved", "已证实"),
    Certainty.LIKELY: _m("likely", "很可能"),
    Certainty.POSSIBLE: _m("possible", "可能"),
}
SAFETY = {
    Safety.SAFE: _m("safe", "安全"),
    Safety.ASKS_FIRST: _m("asks first", "需确认"),
    Safety.BY_HAND: _m("by hand", "需手动"),
}
VERIFIED = {
    Verified.NO: _m("not tried yet", "尚未试过"),
    Verified.SIMULATED: _m("verified by simulation", "已通过模拟验证"),
    Verified.APPLIED: _m("applied and checked", "已应用并检查"),
}
NOTE = _m("note", "说明")
HELP = _m("help", "建议")
MORE = _m("more", "更多")
