"""The independent reference engine that the compiled one is tested against. See `engine`."""
