"""The binary was built for another kind of C library than the system has (glibc and musl).

Alpine Linux and a few others use musl instead of glibc. Neither can load files built for the other; pip tells
them apart by `manylinux` (glibc) and `musllinux` (musl) in the wheel's name.

## How it looks

- on Alpine: `Error loading shared library ld-linux-x86-64.so.2: No such file or directory (needed by ...)`
- on Alpine: `Error relocating /path/module.so: __memcpy_chk: symbol not found`, and other functions that only
  glibc has
- on Debian, Ubuntu, Fedora: `libc.musl-x86_64.so.1: cannot open shared object file: No such file or directory`
- `not found` when starting a program that does exist

## How to make sure

- `ldd --version`: musl prints `musl libc`, glibc prints its version
- `python -c "import sysconfig; print(sysconfig.get_config_var('HOST_GNU_TYPE'))"` ends in `musl` or `gnu`
- `readelf -d module.so | grep NEEDED` shows `libc.so.6` (glibc) or `libc.musl-...` (musl)

## What to do

1. In a container: use the Debian-based image of the same Python (`python:3.12-slim` instead of
   `python:3.12-alpine`). Many packages, torch among them, have no wheels for musl.
2. Or install a `musllinux` wheel, or build the package on Alpine (`apk add build-base`).
3. Do not copy `site-packages` from one kind of system to the other: install the packages there.

## What not to do

- Use `gcompat`, or link `ld-linux-x86-64.so.2` to musl's loader: some functions then work, others crash.

## Sources

- PEP 656 (musllinux), PEP 600 (manylinux); musl wiki: Functional differences from glibc
"""
