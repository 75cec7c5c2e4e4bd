# Nothing for Python: what is legal is asked through `round` and `desk`, or by cimport.
