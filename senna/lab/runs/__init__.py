"""Several training runs compared."""
