TABLE = "dependencies"  # of its settings, in `network`
