"""The processor does not support an instruction set that the binary uses.

Builds for AVX, AVX2, AVX-512 or FMA stop at the first such instruction on older processors, on some Atom,
Celeron and Pentium models, and in virtual machines that do not expose the feature.

## How it looks

- the process ends without a traceback: exit code `-1073741795` (`0xC000001D`, STATUS_ILLEGAL_INSTRUCTION); on
  Linux `Illegal instruction (core dumped)`, exit code 132
- `OSError: [WinError 1114]`, if the instruction is in the initialisation code of a DLL
- `The TensorFlow library was compiled to use AVX instructions, but these aren't available on your machine.`
- `RuntimeError: NumPy was built with baseline optimizations: (X86_V2) but your machine doesn't support:
  (X86_V2).`

## How to make sure

- the features of the processor: Sysinternals Coreinfo (`coreinfo -f`), on Linux `grep -m1 flags /proc/cpuinfo`,
  compared with what the package requires
- the same environment works on a newer machine
- in a virtual machine: its processor type; only "host" exposes every feature

## What to do

1. Use a build without this requirement: TensorFlow up to 1.5 needs no AVX, and there is `polars-lts-cpu`
   instead of `polars`; other packages document such variants.
2. In a virtual machine: set the processor type to that of the host.
3. Build the package on this machine, or use another machine.

## What not to do

- Reinstall again and again, or install runtimes: nothing is missing.
- Download a "fixed" DLL from the internet.

## Sources

- Microsoft: NTSTATUS values (0xC000001D)
- TensorFlow release notes 1.6; NumPy documentation: CPU build options
"""

from __future__ import annotations

import re

from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.facts.ending import ReportedError, Unexplained
from whyload.findings.model import Certainty, Finding
from whyload.findings.said import about_file, file_label
from whyload.remedies.choose import by_hand

CODE = "unsupported-cpu-instruction"
_ILLEGAL_INSTRUCTION = 0xC000001D
_SAID = regular(
    r"was compiled to use \S+ instructions, but these aren't available"
    r"|NumPy was built with baseline optimizations:.*?but your machine doesn't support"
    r"|Missing required CPU features",
    re.DOTALL,
)


_INIT_FAILED = 1114


def examine(subject: ReportedError | Unexplained) -> Finding | None:
    """The process ended with that status, the package said so, or start-up code fails on a processor without AVX."""
    if isinstance(subject, Unexplained):
        return _lacks_avx(subject.error)
    error = subject
    if error.ending.ntstatus != _ILLEGAL_INSTRUCTION and not _SAID.search(error.ending.output):
        return None
    return _finding(error, Certainty.PROVED)


def _lacks_avx(error: ReportedError) -> Finding | None:
    """R2.51: an illegal instruction in start-up code is reported as 1114, like any other failure there."""
    if error.ending.winerror != _INIT_FAILED or error.file is None or not error.lacks_avx:
        return None
    return _finding(error, Certainty.LIKELY)


def _finding(error: ReportedError, certainty: Certainty) -> Finding:
    label = file_label(error)
    headline = Message(
        en=f"{label.en} uses an instruction that this processor does not support",
        zh=f"{label.zh} 使用了本机处理器不支持的指令",
    )
    remedy = by_hand(
        "other-build",
        "use a build of the package for older processors; in a virtual machine, set the processor type to that of the "
        "host",
        "换用面向较旧处理器的构建；若在虚拟机中，把处理器类型设为与宿主机一致",
    )
    return about_file(error, CODE, headline, notes=_features(error), remedies=(remedy,), certainty=certainty)


def _features(error: ReportedError) -> tuple[Message, ...]:
    features = error.case.world.measured.processor_features
    lacking = [name for name, usable in (features or {}).items() if not usable]
    if not lacking:
        return ()
    return (
        Message(
            en=f"this processor does not support {', '.join(lacking)}", zh=f"本机处理器不支持 {'、'.join(lacking)}"
        ),
    )
