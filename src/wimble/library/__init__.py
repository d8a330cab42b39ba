"""Operations of libraries: calls of exported functions, their arguments and results as data."""
