"""Names of inputs that say what a text is: `email`, `startDate`, `country_code`.

A program checks such texts with a library or a pattern, so that a random text is refused. The table knows words only in
English, as APIs do.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Final, TypeAlias

from wimble.genes.string_formats import FORMATS
from wimble.genes.string_specialisation import SPECIALISATIONS
from wimble.genes.taint_markers import taint_marker

Draw: TypeAlias = Callable[[Random], str]

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def _one_of(*texts: str) -> Draw:
    return lambda rng: rng.choice(texts)


_EMAIL: Final = FORMATS["email"].draw
_URL: Final = FORMATS["uri"].draw
_DATE: Final = FORMATS["date"].draw
_MOMENT: Final = FORMATS["date-time"].draw
_PHONE: Final = SPECIALISATIONS["phone"].draw
_COUNTRY: Final = SPECIALISATIONS["country"].draw
_LANGUAGE: Final = _one_of("en", "de", "fr", "no")
_ZIP: Final = _one_of("12345", "90210", "0150", "SW1A 1AA")
_END: Final = lambda rng: rng.choice((_EMAIL, _EMAIL, _DATE))(rng)  # noqa: E731 (of a message, or of a range)
_COLOUR: Final = lambda rng: f"#{rng.randrange(0x1000000):06x}"  # noqa: E731 (a table of functions)
_ZONE: Final = _one_of("Europe/Oslo", "America/New_York", "Asia/Tokyo", "UTC")
_CLOCK: Final = lambda rng: f"{rng.randrange(24):02}:{rng.randrange(60):02}"  # noqa: E731
_SIGNATURE: Final[Draw] = lambda rng: f"{rng.getrandbits(256):064x}"  # noqa: E731
_FUTURE_S: Final = "4102444800"
"""A time in 2100, in seconds: checks of signatures refuse old ones."""


def _signed(form: str) -> Draw:
    return lambda rng: form.format(_SIGNATURE(rng))


def _signed_in_base64(n_bytes: int) -> Draw:
    return lambda rng: b64encode(rng.randbytes(n_bytes)).decode()


SIGNATURES: Final[dict[str, Draw]] = {
    "signature": _SIGNATURE, "hmac": _SIGNATURE, "signature 256": _signed("sha256={}"),
    "hub signature": lambda rng: f"sha1={rng.getrandbits(160):040x}", "slack signature": _signed("v0={}"),
    "stripe signature": _signed(f"t={_FUTURE_S},v1={{}}"), "paddle signature": _signed(f"ts={_FUTURE_S};h1={{}}"),
    "request timestamp": _one_of(_FUTURE_S), "hmac sha 256": _signed_in_base64(32),
    "twilio signature": _signed_in_base64(20), "line signature": _signed_in_base64(32),
}  # fmt: skip
"""Headers in which services sign their requests: what looks like a signature, so that it is compared with the right
one."""

VALUES_OF_NAMES: Final[dict[str, Draw]] = {
    "email": _EMAIL, "mail": _EMAIL, "e mail": _EMAIL, "email address": _EMAIL,
    "recipient": _EMAIL, "sender": _EMAIL, "cc": _EMAIL, "bcc": _EMAIL, "reply to": _EMAIL,
    "to": _END, "from": _END,
    "url": _URL, "uri": _URL, "href": _URL, "link": _URL, "website": _URL, "homepage": _URL, "webhook": _URL,
    "callback": _URL, "avatar": _URL, "image url": _URL,
    "phone": _PHONE, "mobile": _PHONE, "tel": _PHONE, "telephone": _PHONE, "fax": _PHONE, "phone number": _PHONE,
    "msisdn": _PHONE,
    "date": _DATE, "day": _DATE, "birthday": _DATE, "birthdate": _DATE, "dob": _DATE, "deadline": _DATE,
    "since": _DATE, "until": _DATE, "from date": _DATE, "to date": _DATE, "expiry": _DATE, "born": _DATE,
    "arrival": _DATE, "departure": _DATE, "check in": _DATE, "check out": _DATE, "checkin": _DATE, "checkout": _DATE,
    "datetime": _MOMENT, "date time": _MOMENT, "timestamp": _MOMENT, "created at": _MOMENT, "updated at": _MOMENT,
    "starts at": _MOMENT, "ends at": _MOMENT, "expires at": _MOMENT, "start time": _MOMENT, "end time": _MOMENT,
    "time": _CLOCK, "opens": _CLOCK, "closes": _CLOCK,
    "country": _COUNTRY, "country code": _COUNTRY, "nationality": _COUNTRY,
    "language": _LANGUAGE, "lang": _LANGUAGE, "language code": _LANGUAGE,
    "locale": SPECIALISATIONS["locale"].draw, "currency": SPECIALISATIONS["currency"].draw,
    "currency code": SPECIALISATIONS["currency"].draw,
    "iban": _one_of("GB33BUKB20201555555555", "DE89370400440532013000", "NO9386011117947"),
    "bic": _one_of("DEUTDEFF", "SBICKEN1345"), "swift": _one_of("DEUTDEFF", "SBICKEN1345"),
    "uuid": FORMATS["uuid"].draw, "guid": FORMATS["uuid"].draw,
    "zip": _ZIP, "zipcode": _ZIP, "zip code": _ZIP, "postcode": _ZIP, "postal code": _ZIP, "plz": _ZIP,
    "color": _COLOUR, "colour": _COLOUR,
    "ip": FORMATS["ipv4"].draw, "ip address": FORMATS["ipv4"].draw, "ipv 4": FORMATS["ipv4"].draw,
    "ipv 6": FORMATS["ipv6"].draw,
    "hostname": FORMATS["hostname"].draw, "domain": FORMATS["hostname"].draw, "host": FORMATS["hostname"].draw,
    "timezone": _ZONE, "time zone": _ZONE, "tz": _ZONE,
    "mac": SPECIALISATIONS["mac"].draw, "mac address": SPECIALISATIONS["mac"].draw,
    "card number": SPECIALISATIONS["credit-card"].draw, "credit card": SPECIALISATIONS["credit-card"].draw,
    "slug": SPECIALISATIONS["slug"].draw, "semver": SPECIALISATIONS["semver"].draw,
    "version": SPECIALISATIONS["semver"].draw, "mime type": SPECIALISATIONS["mime"].draw,
    "content type": SPECIALISATIONS["mime"].draw,
    "isbn": _one_of("9783836221191", "9780306406157"), "ean": _one_of("9421023610112"), "vat": _one_of("DE123456789"),
    "latitude": _one_of("59.91", "-33.87"), "longitude": _one_of("10.75", "151.2"), "lat": _one_of("59.91", "-33.87"),
    "lng": _one_of("10.75", "151.2"), "lon": _one_of("10.75", "151.2"),
    "password": lambda rng: f"Aa1!{taint_marker(rng)}", "duration": FORMATS["duration"].draw,
    "gender": _one_of("female", "male", "other"),
    **SIGNATURES,
}  # fmt: skip
"""Words of a name, in lower case -> values. All words of a name are looked up, else its last three, two, and one."""
_PREPOSITIONS: Final[dict[str, Draw]] = {"on": _DATE, "at": _MOMENT}
"""Last words of names that say when something happens: `leavesOn`, `departs_at`."""


def signature_for(name: str) -> Draw | None:
    """Returns a function that draws what looks like a signature, if a header of this name may have one."""
    draw = draw_for(name)
    return draw if draw in SIGNATURES.values() else None


@lru_cache(maxsize=4096)
def draw_for(name: str) -> Draw | None:
    """Returns a function that draws values for an input of this name; None if the name does not say what it is."""
    words = [word.lower() for word in _WORD.findall(name)]
    for count in (len(words), 3, 2, 1):
        draw = VALUES_OF_NAMES.get(" ".join(words[-count:]))
        if draw is not None and words:
            return draw
    return _PREPOSITIONS.get(words[-1]) if len(words) > 1 else None
