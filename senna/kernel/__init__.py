"""The compiled twin of what takes the time in `senna.infer`, where it was built: see kernel.c."""
