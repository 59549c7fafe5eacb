"""Search, values, Parquet, standoff formats and the classic program."""
