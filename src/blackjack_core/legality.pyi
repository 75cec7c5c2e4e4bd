# Nothing for Python: the state machine is reached through `round` and `desk`, or by cimport.
