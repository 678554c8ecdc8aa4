"""The C library of the system is too old for the binary (Linux).

A binary records the newest glibc interface version that it uses. glibc is part of the distribution, and an
older distribution lacks newer interfaces.

## How it looks

- ``ImportError: /lib64/libc.so.6: version `GLIBC_2.32' not found (required by /path/module.so)``
- the same for `libm.so.6`, `libpthread.so.0`

## How to make sure

- `ldd --version` shows the system's version, which is lower than the number in the message
- `python -m pip debug --verbose | grep manylinux` shows which wheel tags are accepted: `manylinux_2_28` needs
  glibc 2.28

## What to do

1. Use a wheel for an older glibc (`manylinux2014`, `manylinux_2_17`); older releases of the package often have
   one.
2. Build the package on this machine: `pip install --no-binary PACKAGE PACKAGE`.
3. Use a container or a distribution whose glibc is new enough; conda provides much, but not glibc.

## What not to do

- Replace `libc.so.6`, or put another one into `LD_LIBRARY_PATH`: every program of the machine depends on it,
  and the loader and the C library have to be of the same version.

## Sources

- PEP 600 (manylinux); man-pages: ld.so(8)
- Dao-AILab/flash-attention issue 1708
"""
