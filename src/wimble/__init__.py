"""wimble: white-box, search-based test generation for Web APIs."""

__version__ = "0.1.0"
