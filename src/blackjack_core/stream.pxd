# Rounds in columns: nothing here for other Cython code to use.
