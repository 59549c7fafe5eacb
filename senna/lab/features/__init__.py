"""Features of forms that no task of the package uses."""
