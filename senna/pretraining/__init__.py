"""Learns word vectors from unlabelled text; apart from preparing the text, with PyTorch."""
