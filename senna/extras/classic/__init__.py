"""A stand-in for the original SENNA 3.0: its command line, its columns, its data folder."""
