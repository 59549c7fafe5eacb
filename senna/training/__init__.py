"""Training: the only part of senna that needs PyTorch."""
