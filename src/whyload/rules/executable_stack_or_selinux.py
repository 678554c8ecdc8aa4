"""The system forbids the memory mapping that the library requires (Linux).

A library can be marked as needing an executable stack, usually by mistake in its build, or contain code that
has to be modified while it is loaded. Hardened kernels, SELinux, and glibc 2.41 and later refuse this.

## How it looks

- `ImportError: libtorch_cpu.so: cannot enable executable stack as shared object requires: Invalid argument`
- the same with `Permission denied` or `Operation not permitted`
- `cannot restore segment prot after reloc: Permission denied`
- `cannot apply additional memory protection after relocation: Permission denied`

## How to make sure

- `readelf -lW FILE | grep GNU_STACK`: `RWE` means that it requires an executable stack, `RW` that it does not
- `getenforce`, and `ausearch -m avc -ts recent` for what SELinux refused
- `ldd --version`: 2.41 or later no longer makes the stack executable for a library that is loaded later

## What to do

1. Upgrade the package: the flag was a mistake, and newer builds do not have it.
2. Clear the flag: `patchelf --clear-execstack FILE` (or `execstack -c FILE`); this can be undone.
3. With SELinux: set the right label on the file (`restorecon -Rv FOLDER`, `textrel_shlib_t` for text
   relocations).

## What not to do

- Run `setenforce 0`, or turn SELinux off permanently.
- Run Python as root.

## Sources

- GNU C Library: news of version 2.41 (executable stacks and dlopen); GLIBC_TUNABLES glibc.rtld.execstack
- conda-forge/pytorch-cpu-feedstock issue 350
"""
