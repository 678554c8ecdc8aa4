"""There is no room left for the library's thread-local storage (Linux).

Some libraries require space in a block of memory whose size is fixed when the program starts. If such a library
is loaded after others have used up the reserve, the loader has to refuse it. The import order decides.

## How it looks

- `ImportError: /path/libgomp.so.1: cannot allocate memory in static TLS block`
- on ARM64 often with `libgomp` (scikit-learn, torch), `libGLdispatch`, `libjemalloc`
- the error disappears when the same package is imported first

## How to make sure

- import the library's package in the first line of the program: the error disappears
- `readelf -d FILE | grep STATIC_TLS` shows that the file requires it

## What to do

1. Import the failing package before all others.
2. Or load the library when the program starts: `LD_PRELOAD=/path/libgomp.so.1 python program.py`.
3. Or enlarge the reserve: `GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4096 python program.py`.
4. Upgrade the packages and glibc: newer releases need it less often.

## What not to do

- Put it into `/etc/ld.so.preload`, which affects all programs.

## Sources

- GNU C Library manual: Dynamic Linking Tunables (glibc.rtld.optional_static_tls)
- man-pages: ld.so(8)
"""
