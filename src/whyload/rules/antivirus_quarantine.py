"""A file of an installed package was removed, emptied or blocked by security software.

Virus scanners distrust rare, unsigned, freshly downloaded programs, and that describes most native modules of
Python packages. The scanner deletes the file or moves it into quarantine, or it refuses to let it be opened.
pip looks only at names and versions and goes on believing that the package is complete.

## How it looks

- `ModuleNotFoundError: No module named 'pkg._module'` or `ImportError: cannot import name ...`, although the
  same package works on the neighbour's machine
- `OSError: [WinError 225] Operation did not complete successfully because the file contains a virus or
  potentially unwanted software.`
- one `.pyd`, `.dll` or `.exe` that `RECORD` lists is absent, while everything else of the package is there

## How to make sure

- Windows Security > Virus & threat protection > Protection history, or in PowerShell `Get-MpThreatDetection`:
  it names the file and the time. Other products have a list called quarantine or history.
- `python -m pip show -f PACKAGE` lists what should be there.

## What to do

1. Check what was reported: a package of another name than you meant (a typing error) may really be malicious.
2. Restore the file from quarantine and allow it there, or have whoever looks after the machine do so.
3. Then install again by force: `python -m pip install --force-reinstall --no-deps --no-cache-dir
   PACKAGE==VERSION`.
4. Report the false alarm to the maker of the scanner, so that others are spared.

## What not to do

- Switch the scanner off for good, or exclude the whole drive.
- Fetch the one DLL from a download site: that is how the scanner comes to be right.
- Install again without allowing the file first: it is gone again a minute later.

## Sources

- Microsoft: System Error Codes (225); Get-MpThreatDetection
- whyload: a file listed in the package's `RECORD` (Python packaging specification "Recording installed
  projects")
"""
