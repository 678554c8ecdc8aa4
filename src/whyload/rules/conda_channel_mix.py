"""conda packages of channels that are not binary compatible are mixed.

`defaults` and `conda-forge` build their packages with different compilers, versions of libraries and options. A
module from one with the libraries of the other may lack functions, or find a library under another name.

## How it looks

- after installing one package from another channel: `DLL load failed`, `undefined symbol`, or
  `libfoo.so.5: cannot open shared object file`, in a package that worked before
- `conda list` shows several channels, and channels for GDAL, libtiff, openssl, icu, hdf5, mkl differ from that
  of Python

## How to make sure

- `conda list --show-channel-urls`, and the order in `conda config --show channels channel_priority`
- the same packages in a new environment of one channel work

## What to do

1. Make a new environment from one channel: `conda create -n fresh --override-channels -c conda-forge
   python=3.11 PACKAGE ...`
2. Set `conda config --set channel_priority strict`.

## What not to do

- Add channels one after the other until the solver is content.
- Repair it library by library with `--force`.

## Sources

- conda-forge documentation: Tips & tricks, "Multiple channels"
- conda documentation: Managing channels
"""
