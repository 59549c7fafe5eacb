"""Scoring: gold tags against predicted ones, with the shared tasks' figures."""
