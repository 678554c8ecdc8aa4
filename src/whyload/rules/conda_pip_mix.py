r"""The same library came from conda and from pip, and the two clash.

conda installs libraries into one folder for all packages (`Library\bin`, `lib`); a wheel from pip brings its
own copies along. pip does not know what conda installed and the reverse: one overwrites the files of the other,
or both copies get into one process and whichever is loaded first serves both.

## How it looks

- a package from pip fails in a conda environment and works in a plain one, or the reverse
- error 127, `The specified procedure could not be found`, or error 1114, in a package that pip installed last
- `OMP: Error #15`, after numpy came from conda and torch from pip
- `conda list` shows a package twice, or with the channel `pypi` although conda has it too

## How to make sure

- `conda list`: the lines with the channel `pypi`, and which of them conda also provides libraries for
- the folder of the copy that is loaded: below `Library\bin` it is conda's, below `site-packages` the wheel's
- the same requirements in a fresh environment made with only one of the two work

## What to do

1. Take all compiled packages of one environment from one of the two. Make a new environment; repairs of a mixed
   one rarely last.
2. If pip is needed for a few: everything from conda first, then the rest with pip, and nothing with conda
   afterwards.
3. An old runtime of conda below a new wheel: `conda update vc14_runtime` (or `vs2015_runtime`).

## What not to do

- Delete one of the copies by hand: its package manager puts it back, or other packages miss it.
- Copy DLLs from `Library\bin` into `site-packages`.
- Use `pip install --user` within a conda environment: it is seen by every environment of that Python version.

## Sources

- conda documentation: Using pip in a conda environment
- conda-forge/pytorch-cpu-feedstock issue 354
"""
