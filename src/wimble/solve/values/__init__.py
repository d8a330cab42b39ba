"""Values of expressions as JavaScript computes them, and values by trying."""
