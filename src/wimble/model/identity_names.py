"""Names of the inputs by which a user signs up and logs in, in lower case."""

from __future__ import annotations

import re
from typing import Final

PASSWORD: Final = re.compile(r"password|passwd|passphrase|^pass$|^pwd$|^pin$|passcode")
SECRET: Final = re.compile(rf"{PASSWORD.pattern}|secret|phrase$|passkey")
"""What else sign-ups and logins call a password; elsewhere such names say other things (`clientSecret`)."""
IDENTITY: Final = re.compile(r"e?mail|user|login|account|phone|mobile|nick|handle|identifier|name$")
"""Names of what identifies a user. Some of them (`userPassword`) are also names of passwords."""
