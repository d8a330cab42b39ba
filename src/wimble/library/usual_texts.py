"""Texts of the languages that libraries read, by words that tell which one a package is about.

The words are those of the package's name and keywords, or else of its description. These texts have forms that short
examples in a documentation leave out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

MAX_USUAL: Final = 24
"""Texts of one package; with more, each would be rare."""

_TEXTS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        r"ur[il]s?|href|links?|whatwg|rfc3986",
        (
            "http://user:secret@example.com:8080/a/./b/../c.html?x=1&y[]=2&x=3#part",
            "http://[2001:db8::7]/a",
            "https://xn--bcher-kva.example/",
            "http://b\u00fccher.example/\u00e4?\u00f6=\u00fc",
            "//example.com/a",
            "../b/c?d#e",
            "mailto:ada@example.com",
            "file:///tmp/a.txt",
        ),
    ),
    (r"query|querystrings?|qs|params", ("?a=1&b=2&a=3", "a[b]=c&a[d][]=e", "a=%C3%A4+b&c", "foo.bar=1;x=2")),
    (
        r"markdown|commonmark|gfm|md",
        (
            "# Title\n\nText with *emphasis*, **strong**, `code` and ~~old~~.  \nNext line\n\n---\n",
            "* one\n* two\n  1. inner\n  2. more\n\n- [ ] open\n- [x] done\n",
            "| a | b |\n|:--|--:|\n| 1 | `x` |\n",
            "```js\nlet a = 1;\n```\n\n    indented code\n",
            "> quoted\n> > twice\n\n[link](http://example.com 'title') ![image](a.png) <http://example.com>\n",
            "[text][id] and [id]\n\n[id]: http://example.com \"Title\"\n",
            "Title\n=====\n\nSub\n---\n\n<div>html</div>\n\nwww.example.com a@example.com &copy; \\*",
        ),
    ),
    (
        r"html|dom|cheerio|sanitizer?",
        (
            "<!DOCTYPE html><div id=\"a\" class='b c'>x <b>y</b><br/>&amp;&#39;</div><!-- z -->",
            "<script>if (a < b) c();</script><p>one<p>two<img src=a.png alt>",
        ),
    ),
    (
        r"xml|svg|soap|rss",
        (
            "<?xml version=\"1.0\"?><a b=\"c\"><d/><e>f &lt; g</e><!-- h --><![CDATA[i]]></a>",
            "<a><b>1</b><b>2</b></a>",
            '<!DOCTYPE a [<!ENTITY b "c"><!ELEMENT a (#PCDATA)><!ATTLIST a e CDATA #IMPLIED>]><a>&b;&#65;&#x42;</a>',
            '<!DOCTYPE a SYSTEM "b.dtd" [<!NOTATION c PUBLIC "d" "e"><!-- f -->]><?php g ?><n:a xmlns:n="h"/>',
        ),
    ),
    (r"json5?|ndjson", ('{"a":[1,-2.5e3,null,true,"\\u00e9\\n"],"b":{}}', "{a: 1, 'b': [0x1F, +.5,], /* c */ }")),
    (r"csv|tsv|delimited|spreadsheet", ('a,b\n1,"x, ""y"""\n', "a;b\r\n1;2\r\n\r\n", "a\tb\n1\t2", "# c\n1,2,3")),
    (r"yaml|yml|frontmatter", ("a: 1\nb:\n  - c\n  - {d: e}\nf: |\n  g\n", "---\na: &x 'b'\nc: *x\n...")),
    (
        r"toml",
        (
            '[a.b]\nc = 1\nd = "e"\nf = [1, 2]\ng = 1979-05-27T07:32:00Z\n',
            "[[a]]\nb.c = true\n",
            "a = { b = 1, 'c d'.e = [\"f\", { g = 0x1F }] } # h\ni = [0o17, 0b1, 1_000, -1.5e+3, inf, nan]\n",
            'a = """\nb \\u00e9 \\\n  "c\\t\\"\"""\nd = \'\'\'\ne \'f\'\'\'\n',
            "a = 07:32:00.5\nb = 1979-05-27\nc = 1979-05-27 07:32:00-07:00\nd = 1979-05-27T07:32:00\n",
        ),
    ),
    (r"ini|properties|dotenv|env", ("; c\n[a]\nb = 1\nc[] = d\n", "A=1\nexport B=\"x y\" # c\nC='${A}'\n")),
    (
        r"dates?|datetimes?|times?|moment|calendar|timestamps?|iso8601|timezones?",
        (
            "2024-02-29", "2024-02-29T13:45:10.123Z", "2024-02-29T13:45:10+02:00", "29/02/2024 1:45 pm",
            "Thu, 29 Feb 2024 13:45:10 GMT", "February 29th, 2024", "13:45", "2024-W09-4", "2024-060",
            "YYYY-MM-DD HH:mm:ss.SSS Z", "dddd, MMMM Do YYYY, h:mm A", "Europe/Berlin",
        ),
    ),
    (r"durations?|ms|milliseconds|intervals?|humanize", ("1h 30m", "2.5 days", "-100ms", "P1Y2M3DT4H5M6.5S", "01:02")),
    (r"cron|crontab|schedul\w*", ("*/5 * * * *", "0 0 1,15 1-6 *", "0 30 9-17/2 * * MON-FRI", "@daily", "0 0 L * 5#2")),
    (
        r"semver|versions?|versioning",
        ("1.2.3", "v2.0.0-beta.1+build.5", "^1.2.0", "~1.2", ">=1.0.0 <2.0.0 || 3.x", "1.2.3 - 2.3.4", "*", "1.10.0"),
    ),
    (
        r"colou?rs?|palette|rgba?|hsl|hex",
        (
            "#f80", "#ff8800", "#ff8800cc", "rgb(255, 136, 0)", "rgba(100%, 50%, 0%, .5)", "rgb(255 136 0 / 50%)",
            "hsl(32, 100%, 50%)", "hsla(32deg 100% 50% / 0.5)", "hsv(32, 100%, 100%)", "hwb(32 0% 0%)", "rebeccapurple",
            "transparent",
        ),
    ),
    (
        r"css|selectors?|stylesheet|less|scss",
        ('a.b > c#d[e="f"]:not(.g):nth-child(2n+1), h ~ i::before', "@media print { a { color: red !important; } }"),
    ),
    (
        r"ip|ips|ipv[46]|cidr|netmask|subnet",
        ("192.168.1.10", "10.0.0.0/8", "2001:db8::7", "::ffff:1.2.3.4", "fe80::1%eth0", "2001:db8::/32", "255.255.0.0"),
    ),
    (r"e?mails?|addresses|rfc5322", ("ada@example.com", "Ada Lovelace <ada@example.com>", '"a b"@[127.0.0.1]')),
    (r"phones?|telephone|e164", ("+44 20 7946 0000", "(212) 555-0100 x12", "0049 30 123456")),
    (
        r"templates?|templating|mustache|handlebars|ejs|liquid|hogan",
        (
            "Hi {{name}}, {{{raw}}} {{! note }}{{> part}}",
            "{{#items}}{{.}}, {{/items}}{{^items}}none{{/items}}",
            "<% if (it.a) { %><%= it.b %><% } else { %><%- it.c %><% } %>",
            "{% for a in b %}{{ a | upper }}{% endfor %}",
        ),
    ),
    (r"globs?|globbing|minimatch|wildcards?|gitignore", ("a/**/*.js", "!(a|b)/[c-d]?.txt", "{a,b}/{1..3}", "!**/x")),
    (r"paths?|filenames?|filepath", ("../a/./b//c.tar.gz", "C:\\a\\..\\b", "/a/b/", "~/x")),
    (r"regexp?|regex\w*", ("^(a|b)+?c{2,3}$", "[^\\d\\s-]*(?:x)\\1", "(?<year>\\d{4})(?=-)")),
    (
        r"math\w*|expressions?|formulas?|calculator|eval\w*|arithmetic",
        ("2 * (3 + x) ^ 2 - sin(y) / 4", "a and not b or c >= 3 ? 'd' : e[0].f", "min(1, 2.5e3, -x) % 3"),
    ),
    (r"sql|lucene|search|filters?", ('title:"a b" AND (c OR -d) e~2', "SELECT a, COUNT(*) FROM t WHERE b = 'c'")),
    (
        r"numbers?|numerals?|numeric|currency|money|bignum\w*|bigint|decimals?|fractions?|units?",
        ("1,234.56", "-0.5", "1e21", "$1,000.00", "12.5%", "1/3", "0x1F", "1.(3)", "10 km"),
    ),
    (r"args?|argv|cli|shell|commands?|flags", ("--a=1 -bc 'd e' -- f \"g\\\"h\"", "a | b > c && $D `e` #f", "--no-x")),
    (
        r"mime|content|headers?|http|cookies?|accept|negotiat\w*",
        (
            'text/html; charset="utf-8"; q=0.8, */*;q=0.1', "attachment; filename=\"a b.txt\"; filename*=UTF-8''%c3%a4",
            "a=b; Path=/; HttpOnly; Max-Age=60; SameSite=Lax", "bytes=0-9,20-", "max-age=60, no-cache",
        ),
    ),
    (r"diffs?|patch\w*", ("--- a\n+++ b\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n", "one\ntwo\nthree", "one\n2\nthree\n")),
    (r"jsonpath|jsonpointer|pointer|dot\w*|jsonpatch", ("$..a[?(@.b > 1)].c", "/a/0/b~1c~0", "a.b[0]['c'].*", "/-")),
    (r"base\d+|encod\w+|decod\w+|entities|escap\w+", ("YWJj", "&lt;a&gt;&eacute;&#x1F600;", "%E4%BD%A0", "\\u00e9")),
    (
        r"svg|svgs",
        (
            "M10 10h5v-5l3 4H2V3L1 2c1 2 3 4 5 6s7-8 9 1C1 2 3 4 5 6S7 8 9 1z",
            "M0 0q1 2 3 4t5 6Q1 2 3 4T5 6a5 3 30 1 0 4 7A5 5 0 0 1 20 9m1-1z",
            "matrix(1 0 0 1 5 5) translate(3) rotate(45 1 2) scale(2,.5) skewX(3) skewY(4)",
        ),
    ),
    (
        r"ical\w*|icalendar|ics|rrule|recur\w*|rfc5545",
        (
            "DTSTART:20240229T120000Z\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,-1FR;COUNT=5",
            "FREQ=MONTHLY;BYMONTHDAY=-1,15;BYHOUR=9;UNTIL=20250101T000000Z",
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;TZID=Europe/Paris:20240229T120000\r\nEND:VEVENT\r\nEND:VCALENDAR",
            "every 2 weeks on Monday and Friday for 5 times",
        ),
    ),
    (r"wkt|geometry|geojson", ("POINT (1 2)", "POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1))")),
    (r"roman", ("MCMXCIV", "IV")),
    (r"uuid|guid|ulid", ("123e4567-e89b-42d3-a456-426614174000", "01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    (
        r"slug\w*|case|camel\w*|strings?|text|unicode|word\w*|plural\w*|inflect\w*|diacritics",
        (
            "fooBar_baz-Qux 2", "\u00dcn\u00efc\u00f6d\u00e9 stra\u00dfe", "\u65e5\u672c\u8a9e \U0001f600",
            "XMLHttpRequest", "children",
        ),
    ),
)  # fmt: skip
_WHOLE: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_PART: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
"""Of names such as `parseCron`."""


def usual_texts(about: Iterable[str]) -> tuple[str, ...]:
    """Returns texts of what a package is about, those of the first words first. about: texts with such words."""
    words = [
        word.lower() for text in about for whole in _WHOLE.findall(text) for word in (whole, *_PART.findall(whole))
    ]
    found: dict[str, None] = {}
    for word in dict.fromkeys(words):
        for pattern, texts in _TEXTS:
            if re.fullmatch(pattern, word):
                found.update(dict.fromkeys(texts))
    return tuple(found)[:MAX_USUAL]
