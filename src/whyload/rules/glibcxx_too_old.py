"""The C++ library that is found is too old for the binary (Linux).

`libstdc++.so.6` gains interfaces with each version of GCC, and a binary records the newest one that it uses.
Which copy is used depends on the search order: the system's, conda's, or one that the host program has already
loaded.

## How it looks

- ``ImportError: /lib/x86_64-linux-gnu/libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by
  /path/module.so)``
- the same with `CXXABI_1.3.13`
- often in a conda environment whose own, newer `libstdc++.so.6` was not used

## How to make sure

- `strings /usr/lib/x86_64-linux-gnu/libstdc++.so.6 | grep GLIBCXX_3.4. | sort -V | tail
  -1`, and the same for `$CONDA_PREFIX/lib/libstdc++.so.6`
- `LD_DEBUG=libs python -c "import pkg" 2>&1 | grep "libstdc++"` shows which one is used, and why

## What to do

1. In conda: `conda install -c conda-forge libstdcxx-ng` (new enough), and start Python from the activated
   environment.
2. If another program (R, MATLAB) has already loaded the older one: import the Python package first, or start
   the program with the newer copy: `LD_PRELOAD=$CONDA_PREFIX/lib/libstdc++.so.6 program`.
3. Otherwise use a newer distribution, or build the package on this machine.

## What not to do

- Overwrite the system's `libstdc++.so.6`, or symlink another version to its name.

## Sources

- GCC: libstdc++ manual, ABI Policy and Guidelines (table of GLIBCXX and CXXABI versions)
"""
