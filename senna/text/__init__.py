"""Text: tokens, sentences, columns, tag schemes and features; knows no model."""
