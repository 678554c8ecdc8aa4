"""A library lacks a function that another one imports (Linux, macOS), and no narrower cause fits.

All libraries were found, but one of them is of another version than the one that was there when the importing
file was built, or was built with other options.

## How it looks

- `ImportError: /path/_ext.so: undefined symbol: _ZN2at7getTypeERKNS_6TensorE`
- `symbol lookup error: /path/libfoo.so.1: undefined symbol: foo_bar, version FOO_1.2`
- ``/lib/libfoo.so.1: version `FOO_1.2' not found (required by ...)``
- macOS: `symbol not found in flat namespace '_foo_bar'`, or `Symbol not found: _foo_bar`, `Expected in: ...`

## How to make sure

- `c++filt _ZN2at7getTypeERKNS_6TensorE` makes the name readable: `at::getType(...)` belongs to torch, `Py...`
  to Python, `..._api` often to a library of that name
- `LD_DEBUG=libs,bindings python -c "import pkg"` shows which copy of the library was taken
- `nm -D --defined-only libfoo.so.1 | grep foo_bar` shows whether a copy has it

## What to do

1. Bring both to versions that belong together: usually the importing package has to be installed or built again
   after the other was upgraded.
2. If a second, older copy is taken first (`LD_LIBRARY_PATH`, a conda folder, `/usr/local/lib`), take it out of
   the way.
3. A name that begins with `_ZNSt7__cxx11` that is absent, or present only without `__cxx11`: the two were built
   with different C++ ABIs (`_GLIBCXX_USE_CXX11_ABI`).

## What not to do

- Link an empty function of that name: the program crashes later.
- Set `LD_PRELOAD` for all programs.

## Sources

- man-pages: ld.so(8), nm(1); GCC manual: Dual ABI
"""
