"""A policy of the machine blocks the file (App Control for Business / WDAC, Smart App Control, AppLocker).

Such a policy lets only files run that are signed by somebody it trusts, or that are listed. Native modules in
wheels are mostly not signed.

## How it looks

- `OSError: [WinError 4551] An Application Control policy has blocked this file.` (`0x800711C7`)
- `ImportError: DLL load failed while importing _module: An Application Control policy has blocked this file.`
- `[WinError 1260] This program is blocked by group policy. For more information, contact your system
  administrator.`
- `[WinError 577] Windows cannot verify the digital signature for this file.`

## How to make sure

- Event Viewer > Applications and Services Logs > Microsoft > Windows > CodeIntegrity > Operational: event 3077
  names the file and the policy (3076: it would have been blocked); for AppLocker: Microsoft > Windows >
  AppLocker > EXE and DLL
- Windows Security > App & browser control > Smart App Control: on, evaluation, or off
- `Get-AuthenticodeSignature FILE` in PowerShell: `NotSigned`

## What to do

1. On a machine of a firm: ask whoever looks after the policy for a rule for the folder of the environment, or
   have the files signed.
2. Smart App Control on your own machine has no exceptions for single files; the choices are to run the program
   in WSL, in a virtual machine, or without Smart App Control. Most versions of Windows cannot switch it on
   again without being installed anew: think before you switch it off.
3. A release of the package whose files are signed, where there is one.

## What not to do

- Reinstall: the new file is not signed either.
- Run Python as administrator: the policy holds for administrators too.

## Sources

- Microsoft: App Control for Business, Understanding App Control event IDs (3076, 3077); Smart App Control
  frequently asked questions
- pytorch/pytorch issue 182008
"""
