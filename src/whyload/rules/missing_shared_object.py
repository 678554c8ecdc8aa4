"""A library that another one needs is absent (Linux, macOS).

The dynamic loader looks in the folders written into the file (`RPATH`, `RUNPATH`), in `LD_LIBRARY_PATH` or
`DYLD_LIBRARY_PATH`, and in the folders of the system. The name is in none of them.

## How it looks

- `ImportError: libfoo.so.1: cannot open shared object file: No such file or directory`
- `OSError: libfoo.so.1: cannot open shared object file: No such file or directory`
- macOS: `ImportError: dlopen(..., 0x0002): Library not loaded: @rpath/libfoo.dylib`, with a line `Referenced
  from:` and a line `Reason: tried: '...' (no such file)`
- Alpine: `Error loading shared library libfoo.so.1: No such file or directory (needed by ...)`

The first name in the message is the absent library, not the one that needs it.

## How to make sure

- `ldd FILE | grep "not found"` (macOS: `otool -L FILE`); only for files that you trust
- `LD_DEBUG=libs python -c "import pkg"` shows every folder that is tried
- `find / -name "libfoo.so*" 2>/dev/null`: if it is there after all, the cause is another: it is not where the
  loader looks

## What to do

1. Install the package of the distribution that contains the library (`apt-file search libfoo.so.1`,
   `dnf provides "*/libfoo.so.1"`, `brew`), or the conda package.
2. Prefer a wheel that brings its libraries along (`manylinux`) to one that was built for one machine.
3. In a slim container image, add the library to the image.

## What not to do

- Make a link from another version's name (`libfoo.so.2` as `libfoo.so.1`): the number is there because they
  differ.
- Copy single `.so` files from another machine.
- Set `LD_LIBRARY_PATH` for every program of the machine.

## Sources

- man-pages: ld.so(8), dlopen(3); Apple: dyld(1)
- PEP 513, PEP 600 (manylinux)
"""
