"""From scores to paths, spans and trees, and how probable they are."""
