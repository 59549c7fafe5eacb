"""Ensembles: several models in one folder (section 6.4)."""
