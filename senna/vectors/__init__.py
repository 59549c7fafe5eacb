"""Word vectors: reading and writing tables of them, joining, comparing, drawing."""
