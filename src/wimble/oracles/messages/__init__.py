"""Messages of errors: their shapes, and which of them differ by the input alone."""
