"""The networks that learn, in PyTorch: twins of those in `senna.inference.networks`."""
