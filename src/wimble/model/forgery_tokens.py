"""Names of tokens against forged requests (CSRF): an answer gives one, and requests that change something send it."""

from __future__ import annotations

import re
from typing import Final

FORGERY_TOKEN: Final = re.compile(
    r"\A(?!.*(?:name|header|param|parameter)\Z)(?:.*(?:csrf|xsrf|forgery|authenticity|verificationtoken)|_token\Z)",
    re.IGNORECASE | re.DOTALL,
)
"""Not `csrf-param` or `xsrfHeaderName`, which say how the token is sent."""
