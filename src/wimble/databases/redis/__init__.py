"""Redis' commands, translated to queries over tables of keys."""
