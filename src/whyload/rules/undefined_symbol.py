"""A library lacks a function that another one imports (Linux, macOS); no more specific cause applies.

All libraries were found, but one of them has another version, or was built with other options, than when the
importing file was built.

## How it looks

- `ImportError: /path/_ext.so: undefined symbol: _ZN2at7getTypeERKNS_6TensorE`
- `symbol lookup error: /path/libfoo.so.1: undefined symbol: foo_bar, version FOO_1.2`
- ``/lib/libfoo.so.1: version `FOO_1.2' not found (required by ...)``
- macOS: `symbol not found in flat namespace '_foo_bar'`, or `Symbol not found: _foo_bar`, `Expected in: ...`

## How to make sure

- `c++filt _ZN2at7getTypeERKNS_6TensorE` decodes the name: `at::getType(...)` belongs to torch, `Py...` to
  Python; other names often contain the library's name
- `LD_DEBUG=libs,bindings python -c "import pkg"` shows which copy of the library is used
- `nm -D --defined-only libfoo.so.1 | grep foo_bar` shows whether a copy has it

## What to do

1. Use versions that belong together: usually the importing package has to be reinstalled or rebuilt after the
   other was upgraded.
2. If an older copy is found first (`LD_LIBRARY_PATH`, a conda folder, `/usr/local/lib`), move it away.
3. If the missing name begins with `_ZNSt7__cxx11`, or exists only without `__cxx11`: the two were built with
   different C++ ABIs (`_GLIBCXX_USE_CXX11_ABI`).

## What not to do

- Add an empty function of that name: the program crashes later.
- Set `LD_PRELOAD` for all programs.

## Sources

- man-pages: ld.so(8), nm(1); GCC manual: Dual ABI
"""
