"""Redis: its commands read as queries over tables of keys."""
