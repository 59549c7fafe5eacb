"""The networks of the core in PyTorch: twins of those in `senna.inference.networks`."""
