"""Two OpenMP runtimes are in one process.

`libiomp5md.dll` (Intel), `libomp.dll` and `libomp140.x86_64.dll` (LLVM) register themselves under the same
mark. If a second one starts, from another folder or under another name, it ends the process. torch, MKL,
ctranslate2, faiss and many others bring a copy along each.

## How it looks

- `OMP: Error #15: Initializing libiomp5md.dll, but found libiomp5md.dll already initialized.`
- the same with `libomp140.x86_64.dll`, `libomp.dll`, `libiomp5.so`, `libomp.dylib`, `mk2iomp5md.dll`
- the process ends without a traceback (abort, exit code 3) when the second package is imported or first used

## How to make sure

- `whyload run -c "import a, b"` names both copies; or look for them: `where /r ENVIRONMENT lib*omp*.dll`
- import the packages one by one: each works alone

## What to do

1. Take both packages from one source: all from conda-forge, or all from pip.
2. Remove the provider that is to spare (`pip uninstall intel-openmp` where only torch needs it).
3. Upgrade both: newer releases often link the same copy, or none.
4. Only to find out whether it is this: `KMP_DUPLICATE_LIB_OK=TRUE`.

## What not to do

- Leave `KMP_DUPLICATE_LIB_OK=TRUE` in a program: the makers of the runtime call it unsafe, unsupported and
  undocumented; results may be wrong without any message.
- Delete a copy out of a package's folder: the package then misses it, and pip does not repair it.

## Sources

- text of the runtime's own message and hint (LLVM openmp, kmp_i18n)
- conda-forge/pytorch-cpu-feedstock issue 354
"""
