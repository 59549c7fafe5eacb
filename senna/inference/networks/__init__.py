"""The networks that tag, in NumPy: twins of those in `senna.training.networks`."""
