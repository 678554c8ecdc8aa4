"""Words of the text report in English and Simplified Chinese."""

from __future__ import annotations

from whyload.base.message import Message
from whyload.findings.model import Severity
from whyload.findings.report import Verdict
from whyload.loader.model import Step, StepKind
from whyload.loader.model import Verdict as StepVerdict
from whyload.report.words import CERTAINTY, HELP, MORE, NOTE, SAFETY, VERIFIED

__all__ = ["CERTAINTY", "HELP", "MORE", "NOTE", "SAFETY", "VERIFIED"]


def _m(en: str, zh: str) -> Message:
    return Message(en=en, zh=zh)


SEVERITY = {
    Severity.ERROR: _m("error", "错误"),
    Severity.WARNING: _m("warning", "警告"),
    Severity.NOTE: _m("note", "说明"),
}
VERDICT = {
    Verdict.LOADS: _m("loads", "可以加载"),
    Verdict.FAILS: _m("does not load", "无法加载"),
    Verdict.DEGRADED: _m("loads, but a part of it does not", "可以加载，但有一部分无法加载"),
    Verdict.UNKNOWN: _m("could not be established", "无法确定"),
}
ENVIRONMENT = {
    Verdict.LOADS: _m("every native module loads", "所有原生模块都可以加载"),
    Verdict.DEGRADED: _m("imports work, but see the warnings", "导入正常，但请留意警告"),
    Verdict.FAILS: _m("something is broken", "存在问题"),
    Verdict.UNKNOWN: _m("no native module was found", "没有找到原生模块"),
}
"""The verdict on a whole environment."""
PLACE = {
    StepKind.ARGUMENT: _m("the name itself", "名称本身"),
    StepKind.FULL_PATH: _m("that file", "指定的文件"),
    StepKind.LOCAL: _m(".local redirection", ".local 重定向"),
    StepKind.APISET: _m("API sets", "API 集"),
    StepKind.LOADED: _m("already loaded", "已加载的模块"),
    StepKind.KNOWNDLL: _m("KnownDLLs, API sets", "KnownDLLs、API 集"),
    StepKind.TOP_DIR: _m("folder of the DLL", "该 DLL 所在目录"),
    StepKind.APP_DIR: _m("application folder", "程序所在目录"),
    StepKind.USER_DIR: _m("added folder", "添加的目录"),
    StepKind.SDD: _m("SetDllDirectory", "SetDllDirectory"),
    StepKind.SYSTEM32: _m("System32", "System32"),
    StepKind.SYSTEM16: _m("16-bit system folder", "16 位系统目录"),
    StepKind.WINDOWS: _m("Windows folder", "Windows 目录"),
    StepKind.CWD: _m("current folder", "当前目录"),
    StepKind.PATH: _m("PATH", "PATH"),
}
OUTCOME = {
    StepVerdict.NOT_LISTED: _m("not listed", "未列出"),
    StepVerdict.ABSENT: _m("not there", "没有"),
    StepVerdict.UNKNOWN: _m("not known", "未知"),
    StepVerdict.MISMATCH: _m("other processor, skipped", "架构不符，跳过"),
    StepVerdict.INCOMPATIBLE: _m("other processor, the search stops", "架构不符，搜索停止"),
    StepVerdict.DAMAGED: _m("not a valid image, the search stops", "不是有效映像，搜索停止"),
    StepVerdict.DENIED: _m("access denied, the search stops", "拒绝访问，搜索停止"),
    StepVerdict.DIRECTORY: _m("a folder of that name, the search stops", "同名目录，搜索停止"),
    StepVerdict.NOT_HOSTED: _m("not part of this Windows", "此 Windows 中没有"),
    StepVerdict.REFUSED: _m("refused", "被拒绝"),
    StepVerdict.TOO_LONG: _m("the path is too long", "路径过长"),
    StepVerdict.TAKEN: _m("taken", "采用"),
}
NEEDED_BY = _m("needed by", "依赖链")
SEARCHED = _m("searched, in the loader's order", "已按加载器的顺序搜索")
SURE = _m("how sure", "可信程度")
NOT_CHECKED = _m("not checked", "未检查")
AFFECTED = _m("further files fail for the same reason", "个其他文件因同样原因失败")
OUTCOME_OF_LOAD = {False: _m("loads", "可以加载"), True: _m("does not load", "无法加载")}
NOTHING_NATIVE = _m("loads no native library of its own", "没有加载任何原生库")
MISSING = _m("not found or not usable", "找不到或无法使用")
DELAYED = _m("delay import", "延迟导入")


def where_of(step: Step) -> str:
    """The folder or file of a step; empty where its kind says all there is to say."""
    return "" if step.kind in (StepKind.LOADED, StepKind.KNOWNDLL) and step.path is None else step.place
