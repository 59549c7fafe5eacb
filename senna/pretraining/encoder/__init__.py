"""Encoders of sentences that have read text before they learn tasks."""
