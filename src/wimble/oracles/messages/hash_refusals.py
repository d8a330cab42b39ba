"""Recognises errors about the hash of a password, and the columns that hold one."""

from __future__ import annotations

import re
from typing import Final

ABOUT_HASH: Final = re.compile(
    r"\bsalt\b|\bhash(?:es|ed)?\b|same (?:byte )?length|pchstr|argon2|bcrypt|scrypt|pbkdf2"
    r"|of type string or an instance of (?:Array)?Buffer\b|\"buf[12]\" argument"
    r"|^(?:Error: )?Illegal arguments: string, (?:object|undefined)$",
    re.IGNORECASE,
)
"""In errors of libraries that check a password against its hash (bcryptjs says what both arguments are), and of
`timingSafeEqual` ("buf1"); `Buffer.from` says what its argument has to be of the second part of a hash that has none.
"""
HOLDS_HASH: Final = re.compile(r"pass|pwd|hash|digest|crypt|salt")
"""In plain names of columns. Which of them hold texts that nothing was computed from is not known."""
