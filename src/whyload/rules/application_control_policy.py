"""A policy of the machine blocks the file (App Control for Business / WDAC, Smart App Control, AppLocker).

Such a policy allows only files that are signed by a trusted publisher or explicitly listed. Most native modules
in wheels are not signed.

## How it looks

- `OSError: [WinError 4551] An Application Control policy has blocked this file.` (`0x800711C7`)
- `ImportError: DLL load failed while importing _module: An Application Control policy has blocked this file.`
- `[WinError 1260] This program is blocked by group policy. For more information, contact your system
  administrator.`
- `[WinError 577] Windows cannot verify the digital signature for this file.`

## How to make sure

- Event Viewer > Applications and Services Logs > Microsoft > Windows > CodeIntegrity > Operational: event 3077
  names the file and the policy (3076: audit only, the file would have been blocked); for AppLocker: Microsoft >
  Windows > AppLocker > EXE and DLL
- Windows Security > App & browser control > Smart App Control: on, evaluation, or off
- `Get-AuthenticodeSignature FILE` in PowerShell: `NotSigned`

## What to do

1. On a company's machine: ask the administrator of the policy for a rule for the environment's folder, or have
   the files signed.
2. Smart App Control on your own machine has no exceptions for single files. Run the program in WSL or in a
   virtual machine, or turn Smart App Control off. Most versions of Windows cannot turn it on again without
   being reinstalled, so think before you turn it off.
3. Use a release of the package whose files are signed, if there is one.

## What not to do

- Reinstall: the new file is not signed either.
- Run Python as administrator: the policy applies to administrators too.

## Sources

- Microsoft: App Control for Business, Understanding App Control event IDs (3076, 3077); Smart App Control
  frequently asked questions
- pytorch/pytorch issue 182008
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.ending import ReportedError
from whyload.facts.security import blocked_by_policy
from whyload.findings.model import Finding
from whyload.findings.said import about_file, file_label
from whyload.remedies.choose import by_hand

_POLICY = frozenset({4551, 1260, 577})
"""ERROR_SYSTEM_INTEGRITY_POLICY_VIOLATION, ERROR_ACCESS_DISABLED_BY_POLICY, ERROR_INVALID_IMAGE_HASH."""
_INVALID_HASH = 0xC0000428


def examine(error: ReportedError) -> Finding | None:
    """Windows said so, or refused access and its log names the file."""
    event = blocked_by_policy(error.case.world, error.file) if error.file else None
    refused = event is not None and error.ending.winerror == 5
    if error.ending.winerror not in _POLICY and error.ending.ntstatus != _INVALID_HASH and not refused:
        return None
    label = file_label(error)
    notes: tuple[Message, ...] = ()
    if event is not None:
        name = event.data.get("PolicyName") or event.data.get("Policy Name") or f"{event.event_id}"
        notes = (
            Message(
                en=f"the Code Integrity log names this file (event {event.event_id}, {name})",
                zh=f"代码完整性日志中有此文件的记录（事件 {event.event_id}，{name}）",
            ),
        )
    remedy = by_hand(
        "ask-for-a-rule",
        "ask whoever manages the policy to allow the folder of this environment",
        "请策略管理员放行此环境所在的目录",
    )
    headline = Message(en=f"a policy of this machine blocks {label.en}", zh=f"本机的策略阻止了 {label.zh}")
    return about_file(error, "application-control-policy", headline, notes=notes, remedies=(remedy,))
