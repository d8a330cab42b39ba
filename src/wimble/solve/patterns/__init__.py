"""Regular expressions of ECMAScript: matching, languages, spans, and strings that match."""
