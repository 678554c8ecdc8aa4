"""An extension was built for a NumPy that does not fit the one that is installed.

Modules that use NumPy's C interface are bound to the binary layout of the NumPy they were compiled with. Code
compiled with NumPy 1.x does not run under NumPy 2; code compiled with NumPy 2 runs under 2.x and, as a rule,
under 1.19 and later. Code compiled with a newer minor version may ask for more than an older one offers.

## How it looks

- `A module that was compiled using NumPy 1.x cannot be run in NumPy 2.0.0 as it may crash.`
- `RuntimeError: module compiled against API version 0xf but this version of numpy is 0xe`
- `RuntimeError: module compiled against ABI version 0x1000009 but this version of numpy is 0x2000000`
- `ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88
  from PyObject`
- `ImportError: numpy.core.multiarray failed to import`, or `AttributeError: _ARRAY_API not found`

## How to make sure

- `python -m pip show numpy PACKAGE` and the day on which that version of the package was published: before June
  2024 it knows nothing of NumPy 2
- `python -c "import numpy; print(numpy.__version__, numpy.__file__)"`: one NumPy, and the one you think

## What to do

1. Upgrade the package that was compiled: `python -m pip install --upgrade PACKAGE`.
2. If there is no newer one: `python -m pip install "numpy<2"`, in an environment of its own.
3. "compiled against API version 0xf but ... is 0xe": NumPy is the old one; upgrade it.
4. What you built yourself: build again against the NumPy that is installed, without pip's cache
   (`--no-cache-dir`).

## What not to do

- Silence the warning: the module may crash later, or calculate wrongly.
- Install NumPy with conda and with pip in the same environment.

## Sources

- NumPy documentation: NumPy 2.0 migration guide; For downstream package authors
- numpy/numpy: numpy/core/code_generators/generate_numpy_api.py (texts of the messages)
"""
