TABLE = "tree"  # of its settings, in `network`
