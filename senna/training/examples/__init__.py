"""From corpora to batches: read, collected, numbered."""
