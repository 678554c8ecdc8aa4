"""A DLL that is an optional part of Windows is missing.

N editions have no Media Foundation, servers have it turned off, and Server Core and containers also lack
graphics and video components. Packages such as OpenCV link to these DLLs.

## How it looks

- `ImportError: DLL load failed while importing cv2: The specified module could not be found.` on Windows N, on
  a server or in a container
- what is missing is `MF.dll`, `MFPlat.dll`, `MFReadWrite.dll`, `avicap32.dll`, `opengl32.dll` or `d3d11.dll`

## How to make sure

- `winver`, or `(Get-ComputerInfo).WindowsProductName` in PowerShell: look for an `N` or `Server`
- `where mfplat.dll`

## What to do

1. N edition: Settings > Optional features > "Media Feature Pack", then restart.
2. Server with desktop: `Install-WindowsFeature Server-Media-Foundation`, then restart.
3. Server Core, Nano Server, container: use another base image ("server" instead of "servercore" or
   "nanoserver"), or a build of the package without these parts (`opencv-python-headless` needs Media Foundation
   too, from 4.7 on).

## What not to do

- Copy the DLLs from another edition: they also need services and registry entries.
- Install codec packs from the internet.

## Sources

- Microsoft: Media Feature Pack for Windows N; Install-WindowsFeature; Container base images
- import tables of opencv-python (all) and opencv-python-headless (4.7 and later)
"""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library belongs to Windows."""
    if not absence.family(Family.WINDOWS_FEATURE, Family.WINDOWS):
        return None
    if absence.needs_newer_windows or absence.is_in_every_windows:
        return None
    return absent(absence, "windows-edition-missing-feature")
