"""A recorded machine in one file (docs/snapshot.md): written by `recording`, read back as a world by `provider`."""
