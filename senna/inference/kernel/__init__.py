"""The compiled twin of what takes the time in tagging, where it was built: see kernel.c."""
