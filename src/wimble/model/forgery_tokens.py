"""Names of tokens against forged requests (CSRF): an answer gives one, and requests that change something send it."""

from __future__ import annotations

import re
from typing import Final

FORGERY_TOKEN: Final = re.compile(r"csrf|xsrf|forgery|authenticity|verificationtoken|^_token$", re.IGNORECASE)
