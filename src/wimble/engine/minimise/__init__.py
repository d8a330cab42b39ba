"""Making the candidates smaller."""
