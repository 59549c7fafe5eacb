"""Parts that only a row of the source papers needs: found by name, never imported by the core."""
