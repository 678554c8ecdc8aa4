"""The code signature of the library is not accepted (macOS).

On Apple silicon every binary has to be signed, if only by itself; a file that was changed after signing is
refused. A program with the hardened runtime loads only libraries of the same team, and files from the net may
be in quarantine.

## How it looks

- `ImportError: dlopen(...): code signature in <...> '/path/module.so' not valid for use in process: mapped file
  has no cdhash, completely unsigned? Code has to be at least ad-hoc signed.`
- `... not valid for use in process using Library Validation: mapped process and mapped file (non-platform) have
  different Team IDs`
- `library load disallowed by system policy`
- the process ends with `Killed: 9`, and the crash report says `CODESIGNING`, `Invalid Page`

## How to make sure

- `codesign --verify --verbose FILE` and `codesign -dv FILE`
- `xattr FILE`: `com.apple.quarantine`

## What to do

1. Install the package again, so that the file is the one that was published.
2. A file that you built or changed (`install_name_tool`, `strip`): sign it again,
   `codesign --force --sign - FILE`.
3. Quarantine on a file that you trust: `xattr -d com.apple.quarantine FILE`.
4. An application with Library Validation: use another Python, or sign the library with the application's team.

## What not to do

- Switch off System Integrity Protection or Gatekeeper for the whole machine.
- Take quarantine from a whole folder of downloads.

## Sources

- Apple: TN3126 Inside Code Signing; Disable Library Validation Entitlement; codesign(1)
"""
