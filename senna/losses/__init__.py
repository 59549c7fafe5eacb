"""Losses that networks and kinds of output share."""
