"""Messages and codes of errors that engines of JavaScript, and Node, raise about what a call has given."""

from __future__ import annotations

import re
from typing import Final

# ---- a value is refused ---------------------------------------------------------------------------------------------

PATTERN: Final = re.compile(r"Invalid regular expression: /(?P<pattern>.*)/\w*: ", re.DOTALL)
FLAGS: Final = re.compile(r"Invalid flags supplied to RegExp constructor '(?P<flags>.*)'", re.DOTALL)
REFUSED_BY_BUILTIN: Final = re.compile(
    r'The "[\w.]+" (?:argument|property) must be .*Received (?:type |an instance of )?(?P<value>\w+)', re.DOTALL
)
"""What functions of Node say of an argument of another type than they take."""
OUT_OF_RANGE: Final = re.compile(
    r'(?:The (?:argument|property|value of) ["\'][\w.]+["\'] (?:is (?:invalid|out of range)\.|must be).* Received '
    r"(?P<value>.+))"
    r"|Unknown (?:encoding|credential|signal): (?P<name>.+)",
    re.DOTALL,
)
"""The same, of a value; the codes are those of `REFUSED_VALUES`."""
OUT_OF_BOUNDS: Final = re.compile(r"\w+ is out of range: >= (-?\d+) && <= (-?\d+)$")
"""The same, of a number, by functions that are not written in JavaScript."""
OF_DIGITS: Final = re.compile(
    r"to(?:Fixed|Precision|Exponential|String)\(\) (?:digits |radix )?argument must be between (\d+) and (\d+)"
)
"""What the engine says of a number of digits, or of a base."""
NO_BIGINT: Final = re.compile(
    r"The number (?P<number>\S+) cannot be converted to a BigInt because|Cannot convert (?P<text>.+) to a BigInt$",
    re.DOTALL,
)
"""What the engine says of a number or a text that is no whole number, like `JSON.parse` of a text that is no JSON."""
TOO_LONG: Final = re.compile(r"Invalid (?:string|array|typed array) length|Array buffer allocation failed")
"""What the engine says of a size for which there is no room."""
NO_DATE: Final = re.compile(r"Invalid time value$|.*date value is not finite", re.IGNORECASE)
"""What the engine says of a date that is out of the range of dates, where it is to be written."""

# ---- a text, an option or the platform is not the right one ---------------------------------------------------------

NO_URL: Final = ("ERR_INVALID_URL", "ERR_INVALID_URL_SCHEME")
"""Codes of what `new URL` and its users say of a text: like `JSON.parse`, they say what is wrong with it."""
REFUSED_VALUES: Final = ("ERR_INVALID_ARG_VALUE", "ERR_OUT_OF_RANGE", "ERR_UNKNOWN_ENCODING", "ERR_UNKNOWN_SIGNAL")
OF_INTL: Final = re.compile(
    r"Incorrect locale information provided|Invalid time zone specified: "
    r"|Invalid (?:currency|unit|language|region|script)\b|Value .+ out of range for Intl\.|Invalid option : "
)
"""What the classes of `Intl` say of a locale, a time zone or an option: they say what is wrong with it."""
OF_BROWSERS: Final = re.compile(
    r"(?:window|document|navigator|location|self|localStorage|sessionStorage|XMLHttpRequest|FileReader\w*|DOMParser"
    r"|Image|Node|Element|HTML\w+|XMLSerializer|importScripts|requestAnimationFrame|getComputedStyle|Temporal)"
    r" is not defined$"
    r"|(?:Array|ArrayBuffer|Atomics|Error|Intl|Iterator|JSON|Map|Math|Object|Promise|RegExp|Set|String|Symbol|Uint8Array"
    r"|AbortSignal|URL|Buffer|process)\.\w+ is not a function$"
)
"""What a program for browsers, or for newer versions of the runtime, misses: `Promise.withResolvers` as well."""

# ---- a value has another type, or lacks a member --------------------------------------------------------------------

MISMATCH: Final = re.compile(
    r"\.(?:forEach|map|filter|reduce|reduceRight|some|every|find|findIndex|join|push|pop|shift|unshift|splice|sort|flat"
    r"|flatMap|keys|entries|values|call|apply|bind|exec|test|get|set|has|add|getTime|toISOString|toFixed|then)"
    r" is not a function|is not iterable|^Cannot create property|^Cannot use 'in' operator"
    r"|^CreateListFromArrayLike called on non-object"
)
"""What the engine says of a value that lacks a member which values of another type have."""
LACKING: Final = re.compile(
    r"^Cannot (?:read propert|convert undefined or null|destructure propert)"
    r"| is not (?:a function|iterable|a constructor)$"
)
"""What the engine says where a value lacks a member."""
NO_ELEMENT: Final = re.compile(
    r"^Cannot (?:read|set) properties of undefined \((?:reading|setting) '(?P<index>-?\d+)'\)$"
)
"""What the engine says of an index of what is missing itself: `rows[99][2]`."""
NO_FUNCTION: Final = re.compile(r"[A-Za-z_$][\w$]*(?:\[[^\]]*\])? is not a function")
"""What the engine says of a variable that is called, such as a callback: the caller has not passed one."""
NOT_EXTENSIBLE: Final = re.compile(r"Cannot (?:add|define) property \S+ object is not extensible$")
"""What the engine says where a program sets a member of what cannot have more, such as the exports of an ES module."""
NO_METHOD: Final = re.compile(r"(?P<value>[A-Za-z_$][\w$]*)\.[A-Za-z_$][\w$]* is not a function")
"""What the engine says of a value, by its name, that lacks a method."""
OF_TEXTS: Final = re.compile(
    r"\.(?:charAt|charCodeAt|codePointAt|substr|substring|slice|split|replace|replaceAll|match|matchAll|search|trim\w*"
    r"|to(?:Lower|Upper)Case|startsWith|endsWith|indexOf|lastIndexOf|includes|concat|padStart|padEnd|repeat|normalize"
    r"|localeCompare|at) is not a function"
)
"""What the engine says of a value that is no text."""
