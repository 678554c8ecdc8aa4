"""The binary was built for another kind of C library than the system has (glibc and musl).

Alpine Linux and a few others use musl instead of glibc. A file for one cannot be loaded by the other; pip tells
them apart by `manylinux` (glibc) and `musllinux` (musl) in the name of the wheel.

## How it looks

- on Alpine: `Error loading shared library ld-linux-x86-64.so.2: No such file or directory (needed by ...)`
- on Alpine: `Error relocating /path/module.so: __memcpy_chk: symbol not found`, and other names that only glibc
  has
- on Debian, Ubuntu, Fedora: `libc.musl-x86_64.so.1: cannot open shared object file: No such file or directory`
- `not found` when a program is started that is there

## How to make sure

- `ldd --version`: musl says `musl libc`, glibc names its version
- `python -c "import sysconfig; print(sysconfig.get_config_var('HOST_GNU_TYPE'))"` ends in `musl` or `gnu`
- `readelf -d module.so | grep NEEDED` shows `libc.so.6` (glibc) or `libc.musl-...` (musl)

## What to do

1. In a container: take the image of the same Python that is based on Debian (`python:3.12-slim` instead of
   `python:3.12-alpine`). Many packages, torch among them, have no wheels for musl.
2. Else install the `musllinux` wheel, or build the package on Alpine (`apk add build-base`).
3. Do not copy `site-packages` from one kind of system to the other: install there.

## What not to do

- `gcompat` or a link from `ld-linux-x86-64.so.2` to musl's loader: single functions then work and others crash.

## Sources

- PEP 656 (musllinux), PEP 600 (manylinux); musl wiki: Functional differences from glibc
"""
