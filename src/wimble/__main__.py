"""`python -m wimble` is `wimble`."""

from wimble.cli.main import main

main()
