TABLE = "label"  # of its settings, in `network`
