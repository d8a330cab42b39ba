"""Values of databases, and the distance of conditions on them, for all languages."""
