"""The facts about a machine as rows of a table: a label, and what is known in a few words.

What is not known is left out of a row; a row of which nothing is known says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whyload.base.machine import Machine
from whyload.base.message import Message
from whyload.facts.machine.all import MachineFacts
from whyload.facts.machine.copies import LibraryCopy
from whyload.facts.machine.cuda import CudaFacts
from whyload.facts.machine.distributions import EnvironmentFacts
from whyload.facts.machine.hardware import HardwareFacts
from whyload.facts.machine.interpreter import InterpreterFacts
from whyload.facts.machine.openmp import OpenMpFacts
from whyload.facts.machine.search_path import Oddity, SearchPathFacts
from whyload.facts.machine.security import SecurityFacts
from whyload.facts.machine.vc_runtime import VcRuntimeFacts
from whyload.facts.machine.windows import Policy, WindowsFacts
from whyload.report.punctuation import aside

_PROCESSORS = {machine.label: machine.in_words for machine in Machine}
_GIB = 1 << 30
_MARKS_OF_RUNTIME = ("vcruntime140.dll", "msvcp140.dll")
"""Windows has other files of that family of its own."""
_MOST = 6


def _m(en: str, zh: str) -> Message:
    return Message(en=en, zh=zh)


def _same(text: str) -> Message:
    return Message(en=text, zh=text)


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


NOT_KNOWN = _m("not known", "未知")
_POLICY = {
    Policy.OFF: _m("off", "关闭"),
    Policy.EVALUATION: _m("evaluating", "仅评估"),
    Policy.ENFORCED: _m("enforced", "强制执行"),
}
_ODD = {
    Oddity.MISSING: _m("not there", "不存在"),
    Oddity.NOT_A_FOLDER: _m("not a folder", "不是目录"),
    Oddity.UNREADABLE: _m("not readable", "无法读取"),
    Oddity.DUPLICATE: _m("duplicate", "重复"),
    Oddity.QUOTED: _m("in quotes", "带引号"),
    Oddity.BLANKS: _m("with spaces at an end", "首尾有空格"),
    Oddity.RELATIVE: _m("relative", "相对路径"),
    Oddity.VARIABLE: _m("with an unexpanded variable", "含未展开的变量"),
    Oddity.NETWORK: _m("on the network", "在网络上"),
    Oddity.ANOTHER_DRIVE: _m("on an unknown drive", "在未知驱动器上"),
}


def table(facts: MachineFacts) -> list[tuple[Message, list[Message]]]:
    """Label and values of every row."""
    rows = [
        (_same("Windows"), _windows(facts.windows)),
        (_same("Python"), _python(facts.interpreter)),
        (_m("packages", "软件包"), _packages(facts.environment)),
        (_m("native files", "原生文件"), _natives(facts)),
        (_m("C++ runtime", "C++ 运行库"), _vc_runtime(facts.vc_runtime)),
        (_same("CUDA"), _cuda(facts.cuda)),
        (_same("OpenMP"), _openmp(facts.openmp)),
        (_same("PATH"), _path(facts.search_path)),
        (_m("hardware", "硬件"), _hardware(facts.hardware)),
        (_m("security", "安全软件"), _security(facts.security)),
    ]
    return [(label, list(values) or [NOT_KNOWN]) for label, values in rows]


def _windows(facts: WindowsFacts) -> Iterator[Message]:
    named = [facts.product, facts.release] if facts.product else [facts.edition, facts.release]
    if name := " ".join(part for part in named if part):
        yield _same(name)
    if facts.build is not None:
        revision = f".{facts.revision}" if facts.revision is not None else ""
        yield _m(f"build {facts.build}{revision}", f"内部版本 {facts.build}{revision}")
    if facts.installation not in (None, "Client"):
        yield _same(str(facts.installation))
    if facts.is_n:
        yield _m("N edition, without media features", "N 版，不含媒体功能")
    if facts.processor:
        yield _PROCESSORS.get(facts.processor) or _same(facts.processor)
    if facts.language:
        yield _same(facts.language)
    if facts.long_paths is not None:
        yield _m(f"long paths {_on(facts.long_paths).en}", f"长路径{_on(facts.long_paths).zh}")
    if facts.safe_dll_search is False:
        yield _m("safe DLL search off", "安全 DLL 搜索已关闭")
    for policy, control in ((facts.smart_app_control, _SMART_APP_CONTROL), (facts.app_control, _APP_CONTROL)):
        if policy is not None:
            yield _m(f"{control.en} {_POLICY[policy].en}", f"{control.zh}：{_POLICY[policy].zh}")


_SMART_APP_CONTROL = _m("Smart App Control", "智能应用控制")
_APP_CONTROL = _m("App Control", "应用程序控制策略（App Control）")


def _on(state: bool) -> Message:
    return _m("on", "已启用") if state else _m("off", "未启用")


def _python(facts: InterpreterFacts) -> Iterator[Message]:
    kind = _same("")
    if facts.free_threaded or facts.debug:
        kind = _m(" free-threaded", "（自由线程版）") if facts.free_threaded else _m(" debug", "（调试版）")
    if facts.version:
        yield _m(f"{facts.version}{kind.en}", f"{facts.version}{kind.zh}")
    if facts.bits:
        yield _m(f"{facts.bits}-bit", f"{facts.bits} 位")
    if facts.origin:
        yield _same(facts.origin)
    yield _same(str(facts.executable))
    if facts.venv is not None:
        yield _m(
            f"virtual environment {facts.venv}" + (aside(facts.venv_made_by, "en") if facts.venv_made_by else ""),
            f"虚拟环境 {facts.venv}" + (aside(facts.venv_made_by, "zh") if facts.venv_made_by else ""),
        )
    if facts.sees_base_packages:
        yield _m("can use the packages of its base", "可使用基础环境的软件包")
    if facts.home_is_there is False:
        yield _m("its base interpreter is gone", "其基础解释器已不存在")


def _packages(facts: EnvironmentFacts) -> Iterator[Message]:
    installers: dict[str, int] = {}
    for item in facts.distributions:
        name = "conda" if item.channel is not None else item.installer
        if name is not None:  # a folder that was unpacked from wheels does not say
            installers[name] = installers.get(name, 0) + 1
    parts = [f"{name} {count}" for name, count in sorted(installers.items(), key=lambda item: -item[1])]
    count = len(facts.distributions)
    yield _m(
        (_counted(count, "distribution") if count else "none") + (f" ({', '.join(parts)})" if parts else ""),
        (f"{count} 个" if count else "无") + (f"（{'、'.join(parts)}）" if parts else ""),
    )
    for clash in facts.duplicates:
        yield _m(f"{clash.name} twice: {', '.join(clash.versions)}", f"{clash.name} 重复：{'、'.join(clash.versions)}")
    for clash in facts.conda_and_pip[:_MOST]:
        yield _m(
            f"{clash.name} by conda and by pip: {', '.join(clash.versions)}",
            f"{clash.name} 同时由 conda 和 pip 安装：{'、'.join(clash.versions)}",
        )
    for overlap in facts.overlaps[:_MOST]:
        names = " / ".join(overlap.distributions)
        yield _m(f"{names} overwrite one another's files", f"{names} 互相覆盖了对方的文件")
    for item in facts.distributions:
        if item.missing_count:
            yield _m(
                f"gone: {_counted(item.missing_count, 'file')} of {item.name}",
                f"{item.name} 有 {item.missing_count} 个文件丢失",
            )
        if item.altered:
            yield _m(
                f"not as installed: {_counted(len(item.altered), 'native file')} of {item.name}",
                f"{item.name} 有 {len(item.altered)} 个原生文件与安装时不同",
            )
    yield from _few(facts.leftovers, _m("leftover", "残留"))
    yield from _few(facts.half_removed, _m("partly uninstalled", "未完全卸载"))


def _few(items: Iterable[object], label: Message) -> Iterator[Message]:
    texts = [str(item) for item in items]
    if texts:
        more = " ..." if len(texts) > _MOST else ""
        yield _m(
            f"{label.en}: {', '.join(texts[:_MOST])}{more}",
            f"{label.zh}：{'、'.join(texts[:_MOST])}{more and ' 等'}",
        )


def _natives(facts: MachineFacts) -> Iterator[Message]:
    native = facts.native_files
    good = native.modules - sum(1 for path in native.failed if path.suffix == ".pyd")
    modules = f"extension modules: {native.modules}, of which {good} load"
    yield _m(
        f"{native.files} in {_counted(native.folders, 'folder')}; {modules}",
        f"{native.folders} 个目录中共 {native.files} 个，其中扩展模块 {native.modules} 个，可加载 {good} 个",
    )
    if native.lacking:
        count = len(native.lacking)
        yield _m(
            f"{_counted(count, 'library', 'libraries')} that nothing uses cannot load",
            f"{count} 个没有被用到的库无法加载",
        )


def _vc_runtime(facts: VcRuntimeFacts) -> Iterator[Message]:
    if facts.system_version is not None:
        yield _m(f"{facts.system_version} in System32", f"System32 中为 {facts.system_version}")
    elif any(copy.place == "System32" and copy.path.name.lower() in _MARKS_OF_RUNTIME for copy in facts.copies):
        yield _m("in System32", "System32 中有")
    elif facts.copies:
        yield _m("none in System32", "System32 中没有")
    for item in facts.installed or ():
        if item.installed and item.version is not None:
            yield _m(
                f"registered {item.version} ({item.architecture})", f"已注册 {item.version}（{item.architecture}）"
            )
    other = [copy for copy in facts.copies if copy.place not in ("System32", "SysWOW64") and copy.version is not None]
    if other:
        oldest = min(other, key=lambda copy: copy.version or ())
        yield _m(
            f"{_counted(len(other), 'file')} elsewhere, the oldest {_owned(str(oldest.version), oldest).en}",
            f"其他位置有 {len(other)} 个文件，最旧的是 {_owned(str(oldest.version), oldest).zh}",
        )


def _owned(what: str, copy: LibraryCopy) -> Message:
    owner = str(copy.owner or copy.path)
    return _m(what + aside(owner, "en"), what + aside(owner, "zh"))


def _cuda(facts: CudaFacts) -> Iterator[Message]:
    if facts.driver:
        runs = f"CUDA {facts.driver_cuda}" if facts.driver_cuda else ""
        yield _m(
            f"driver {facts.driver}" + (aside(runs, "en") if runs else ""),
            f"驱动 {facts.driver}" + (aside(runs, "zh") if runs else ""),
        )
    elif "driver" in facts.unknown:
        yield _m("no NVIDIA driver", "没有 NVIDIA 驱动") if "not in System32" in facts.unknown["driver"] else NOT_KNOWN
    for gpu in facts.gpus or ():
        yield _same(gpu.name + (f" {gpu.memory} MiB" if gpu.memory else ""))
    for toolkit in facts.toolkits:
        empty = _same("") if toolkit.has_libraries else _m(", without libraries", "，其中没有库文件")
        yield _m(
            f"toolkit {toolkit.version or '?'} ({toolkit.folder}{empty.en})",
            f"工具包 {toolkit.version or '?'}（{toolkit.folder}{empty.zh}）",
        )
    for variable in facts.variables:
        if variable.is_there is False:
            yield _m(
                f"{variable.name} points to a folder that does not exist: {variable.value}",
                f"{variable.name} 指向不存在的目录：{variable.value}",
            )
    for name, copies in (("cuDNN", facts.cudnn), ("TensorRT", facts.tensorrt)):
        folders = {copy.path.parent: copy for copy in reversed(copies)}
        for copy in list(folders.values())[:_MOST]:
            yield _owned(f"{name} {copy.path.name}", copy)
    if facts.wheels:
        wheels = [f"{wheel.name} {wheel.version}" for wheel in facts.wheels]
        yield _m(f"from pip: {', '.join(wheels)}", f"由 pip 安装：{'、'.join(wheels)}")


def _openmp(facts: OpenMpFacts) -> Iterator[Message]:
    if not facts.copies:
        yield _m("none", "无")
    for item in facts.copies[:_MOST]:
        yield _owned(item.copy.path.name, item.copy)
    if len(facts.copies) > _MOST:
        yield _m(f"{len(facts.copies) - _MOST} more", f"另有 {len(facts.copies) - _MOST} 个")
    if facts.duplicate_allowed:
        yield _m("KMP_DUPLICATE_LIB_OK is set", "已设置 KMP_DUPLICATE_LIB_OK")


def _path(facts: SearchPathFacts) -> Iterator[Message]:
    if facts.entries is None:
        return
    yield _m(_counted(len(facts.entries), "entry", "entries"), f"{len(facts.entries)} 项")
    if facts.has_system32 is False:
        yield _m("without System32", "不含 System32")
    for entry in facts.entries:
        odd = [_ODD[oddity] for oddity in entry.oddities if oddity is not Oddity.ANOTHER_DRIVE]
        if odd:
            yield _m(
                f"`{entry.text}` {', '.join(item.en for item in odd)}",
                f"`{entry.text}` {'、'.join(item.zh for item in odd)}",
            )
    hidden = [(entry.folder, item) for entry in facts.entries for item in entry.hidden]
    for folder, item in hidden[:_MOST]:
        yield _m(
            f"{item.name} of {item.by} hides the one in {folder}",
            f"{item.by} 中的 {item.name} 遮住了 {folder} 中的同名文件",
        )


def _hardware(facts: HardwareFacts) -> Iterator[Message]:
    if facts.processor:
        yield _same(facts.processor)
    if facts.features is not None:
        missing = [name for name in ("sse4.2", "avx", "avx2") if facts.features.get(name) is False]
        has = "AVX-512" if facts.features.get("avx512f") else "AVX2" if facts.features.get("avx2") else ""
        if has:
            yield _same(has)
        if missing:
            names = [name.upper() for name in missing]
            yield _m(f"without {', '.join(names)}", f"不支持 {'、'.join(names)}")
    if facts.memory is not None:
        physical, limit = facts.memory.physical / _GIB, facts.memory.commit_limit / _GIB
        free = facts.memory.commit_free / _GIB
        yield _m(
            f"{physical:.1f} GiB of memory, commit limit {limit:.1f} GiB, {free:.1f} GiB of it free",
            f"内存 {physical:.1f} GiB，提交限制 {limit:.1f} GiB，剩余 {free:.1f} GiB",
        )
    if facts.paging_files == ():
        yield _m("no paging file", "没有页面文件")


def _security(facts: SecurityFacts) -> Iterator[Message]:
    if facts.products == ():
        yield _m("no product is registered", "没有已注册的安全软件")
    for product in facts.products or ():
        state = {True: _m(" (active)", "（已启用）"), False: _m(" (not active)", "（未启用）")}.get(
            product.active is True
        )
        suffix = state if product.active is not None and state is not None else _same("")
        yield _m(f"{product.name}{suffix.en}", f"{product.name}{suffix.zh}")
    for found in (facts.detections or ())[:_MOST]:
        yield _m(
            f"{found.time[:10]}: {found.path} ({found.threat}, {found.action})",
            f"{found.time[:10]}：{found.path}（{found.threat}，{found.action}）",
        )
    for found in (facts.blocked or ())[:_MOST]:
        audited = found.action.startswith("would")  # by a policy that only watches
        verdict = "会被代码完整性策略阻止（当前仅审核）" if audited else "被代码完整性策略阻止"
        yield _m(
            f"{found.time[:10]}: {found.path} {found.action}",
            f"{found.time[:10]}：{found.path} {verdict}",
        )
