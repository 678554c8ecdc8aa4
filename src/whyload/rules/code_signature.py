"""The code signature of the library is not accepted (macOS).

On Apple silicon every binary has to be signed, at least ad hoc; a file that was changed after signing is
rejected. A program with the hardened runtime loads only libraries signed by the same team, and downloaded files
may carry the quarantine attribute.

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

1. Reinstall the package, so that the file is the published one.
2. If you built or changed the file (`install_name_tool`, `strip`): sign it again with `codesign --force --sign
   - FILE`.
3. If a file that you trust is quarantined: `xattr -d com.apple.quarantine FILE`.
4. If the application uses Library Validation: use another Python, or sign the library with the application's
   team identity.

## What not to do

- Turn off System Integrity Protection or Gatekeeper for the whole machine.
- Remove the quarantine attribute from the whole Downloads folder.

## Sources

- Apple: TN3126 Inside Code Signing; Disable Library Validation Entitlement; codesign(1)
"""
