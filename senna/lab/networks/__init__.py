"""Networks of the source papers that no task of the package uses."""
