"""A library that another one needs is missing (Linux, macOS).

The dynamic loader looks in the folders written into the file (`RPATH`, `RUNPATH`), in `LD_LIBRARY_PATH` or
`DYLD_LIBRARY_PATH`, and in the system's folders. None of them contains the name.

## How it looks

- `ImportError: libfoo.so.1: cannot open shared object file: No such file or directory`
- `OSError: libfoo.so.1: cannot open shared object file: No such file or directory`
- macOS: `ImportError: dlopen(..., 0x0002): Library not loaded: @rpath/libfoo.dylib`, with a line `Referenced
  from:` and a line `Reason: tried: '...' (no such file)`
- Alpine: `Error loading shared library libfoo.so.1: No such file or directory (needed by ...)`

The first name in the message is the missing library, not the one that needs it.

## How to make sure

- `ldd FILE | grep "not found"` (macOS: `otool -L FILE`); only for files that you trust
- `LD_DEBUG=libs python -c "import pkg"` shows every folder that is tried
- `find / -name "libfoo.so*" 2>/dev/null`: if it exists after all, the cause is a different one: it is not where
  the loader looks

## What to do

1. Install the system package that contains the library (`apt-file search libfoo.so.1`, `dnf provides
   "*/libfoo.so.1"`, `brew`), or the conda package.
2. Prefer a wheel that bundles its libraries (`manylinux`) to one that was built for one machine.
3. In a slim container image, add the library to the image.

## What not to do

- Symlink another version (`libfoo.so.2` as `libfoo.so.1`): the numbers differ because the versions are
  incompatible.
- Copy single `.so` files from another machine.
- Set `LD_LIBRARY_PATH` for every program of the machine.

## Sources

- man-pages: ld.so(8), dlopen(3); Apple: dyld(1)
- PEP 513, PEP 600 (manylinux)
"""
