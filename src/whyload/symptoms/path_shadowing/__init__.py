"""A text in which another copy of a library than the right one answers."""

from __future__ import annotations

from whyload.base.message import Message
from whyload.findings.candidate import Candidate
from whyload.findings.suspicion import both, look, usual
from whyload.observe.text.clues import Clues, Platform
from whyload.remedies.anywhere import advise, word
from whyload.remedies.model import Remedy
from whyload.symptoms.path_shadowing.cuda import cuda_of_the_library_path, other_cuda
from whyload.symptoms.path_shadowing.cxx import other_libstdcxx
from whyload.symptoms.path_shadowing.loaded import (
    by_order,
    kept_by_windows,
    named_twice,
    of_the_host,
    other_onnxruntime,
    other_qt,
    other_release,
    runtime_aside,
)
from whyload.symptoms.path_shadowing.unix import (
    expected_elsewhere,
    of_another_environment,
    of_another_program,
    other_mkl,
    preloaded,
    system_library_lacks,
    versioned,
)

CODE = "path-shadowing"


def explain(clues: Clues) -> Candidate | None:
    """The message shows that a foreign copy was bound: another onnxruntime, libstdc++, Qt, CUDA, OpenSSL."""
    found = (
        other_onnxruntime(clues)
        or other_libstdcxx(clues)
        or other_cuda(clues)
        or other_mkl(clues)
        or cuda_of_the_library_path(clues)
        or other_release(clues)
        or versioned(clues)
        or of_another_program(clues)
        or of_the_host(clues)
        or runtime_aside(clues)
        or expected_elsewhere(clues)
        or of_another_environment(clues)
        or system_library_lacks(clues)
        or other_qt(clues)
        or named_twice(clues)
        or by_order(clues)
        or kept_by_windows(clues)
        or preloaded(clues)
    )
    if found is not None:
        strength, why, name = found
        return Candidate(
            code=CODE, strength=strength, why=why, object=name, ask=_ask(clues, name), remedies=_remedies(clues)
        )
    return usual(clues, CODE, ask=_ask(clues, None))


def _ask(clues: Clues, name: str | None) -> tuple[Message | str, ...]:
    if clues.platform is Platform.LINUX:
        return ("LD_DEBUG=libs python PROGRAM.py 2>&1 | grep 'calling init'", 'echo "$LD_LIBRARY_PATH"')
    return (
        *look(clues),
        f"where {word(name)}"
        if name
        else both(
            "which copies of the library does the machine have, and which one is loaded?",
            "本机有几份这个库，加载的是哪一份？",
        ),
    )


def _remedies(clues: Clues) -> tuple[Remedy, ...]:
    if clues.platform is Platform.LINUX:
        return (
            advise(
                "unset-library-path",
                "start without LD_LIBRARY_PATH, or put the environment's own `lib` folder first",
                "不带 LD_LIBRARY_PATH 启动，或把环境自己的 `lib` 目录放在最前",
                "env -u LD_LIBRARY_PATH python PROGRAM.py",
            ),
        )
    return (
        advise(
            "remove-other-copy",
            "remove the other copy's folder from PATH, or load the right file first by its full path",
            "把另一份副本所在的目录从 PATH 中移除，或先用完整路径加载正确的文件",
        ),
    )
