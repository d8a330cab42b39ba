"""New rows and documents: their shape, and genes for their values, for all languages."""
