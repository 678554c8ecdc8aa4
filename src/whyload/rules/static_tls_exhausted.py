"""There is no room left for the library's thread-local storage (Linux).

Some libraries demand a place in a block of memory whose size is fixed when the program starts. If such a
library is loaded late, after others have used up what was kept in reserve, the loader has to refuse. The order
of imports decides.

## How it looks

- `ImportError: /path/libgomp.so.1: cannot allocate memory in static TLS block`
- on ARM64 often with `libgomp` (scikit-learn, torch), `libGLdispatch`, `libjemalloc`
- the message disappears when the same package is imported first

## How to make sure

- import the library's package as the first line of the program: the error is gone
- `readelf -d FILE | grep STATIC_TLS` shows that the file demands it

## What to do

1. Import the package that fails before all others.
2. Or load the library at the start of the program: `LD_PRELOAD=/path/libgomp.so.1 python program.py`.
3. Or enlarge the reserve: `GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4096 python program.py`.
4. Newer releases of the packages, and of glibc, need it less often.

## What not to do

- Write `LD_PRELOAD` into `/etc/ld.so.preload` for all programs.

## Sources

- GNU C Library manual: Dynamic Linking Tunables (glibc.rtld.optional_static_tls)
- man-pages: ld.so(8)
"""
