"""Where open text and open phrase lists come from, and how they are cleaned and mixed."""
