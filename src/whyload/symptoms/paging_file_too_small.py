"""A text in which Windows has no memory left to promise."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.observe.text.clues import Clues
from whyload.remedies.anywhere import advise

CODE = "paging-file-too-small"


def explain(clues: Clues) -> Candidate | None:
    """Error 1455."""
    if not clues.failed_with(1455, 1450, 8, 14) and 0xC000012D not in clues.statuses:
        return usual(clues, CODE)
    if not clues.failed_with(1455) and 0xC000012D not in clues.statuses and not clues.sayings:
        return usual(clues, CODE)
    return Candidate(
        code=CODE,
        strength=Strength.DECISIVE,
        why=both(
            "memory and paging file ran out while a large DLL was being mapped; no file is missing",
            "映射大型 DLL 时，内存与页面文件已耗尽；并不缺少文件",
        ),
        object=clues.file,
        ask=("systeminfo",),
        remedies=(
            advise(
                "fewer-processes",
                "start fewer worker processes (`num_workers`): each of them maps the CUDA libraries",
                "减少工作进程数（`num_workers`）：每个进程都会映射 CUDA 库",
            ),
            advise(
                "larger-paging-file",
                "enlarge the paging file, on a drive with free space",
                "在空间充足的磁盘上增大页面文件",
            ),
        ),
    )
