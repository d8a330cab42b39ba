"""The models of built-ins against V8: the values that Node has computed are those that the solver assumes.

Each function runs in Node on random values. Every node of its path knows the value that V8 gave it. The same value has
to come out of `node_values`, which judges answers, and of the encoding of characters with the inputs put in.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import z3

from traced_function import TracedFunction
from wimble.solve.path_conditions import Path, Unmodelled
from wimble.solve.patterns.utf16 import to_units
from wimble.solve.terms import number_terms
from wimble.solve.terms.bit_terms import BITS, BitTerms
from wimble.solve.terms.vector_terms import VectorTerms
from wimble.solve.values.node_values import OPERATIONS, node_values

pytestmark = pytest.mark.e2e

N_RUNS = 25
EXPRESSIONS: dict[str, str] = {
    "positions": "s.charAt(i) === t || s.at(i) === t || s[i] === t || s.at(-1) === t",
    "codes": "s.charCodeAt(i) + s.codePointAt(0) > 200",
    "parts": "s.slice(i) + s.slice(1, i) + s.slice(-2) + s.substring(i, 2) + s.substr(1, i) + s.substr(-2, 1) === t",
    "searches": "s.indexOf(t) + s.indexOf(t, i) + s.lastIndexOf(t) > i",
    "inclusion": "s.includes(t) || s.includes(t, i) || s.startsWith(t) || s.startsWith(t, i) || s.endsWith(t)",
    "case": "s.toLowerCase() === t.toUpperCase() || s.toUpperCase() < t.toLowerCase()",
    "white space": "(' ' + s + '\\t').trim() + s.trimStart() + s.trimEnd() === t",
    "padding": "s.padStart(i, t) + s.padEnd(8, '-') + s.repeat(i) === t",
    "concatenation": "s.concat(t, 'x') + `${s}:${i}` + String(t) === s + t",
    "order": "s < t || s <= t || s > t || s >= t || s === t",
    "length": "s.length + t.length > i && (s + t).length < 9",
    "replacement": "s.replace(t, 'q') + s.replaceAll('a', 'bb') + s.replace(/[a-c]/g, '_') + s.replace(/b+/, '') === t",
    "groups in a replacement": "s.replace(/(\\w)(\\d)/, '$2$1') + s.replace(/([a-z])/g, '<$&>') === t",
    "replacing by a function": "s.replace(/[a-z]/g, (c) => c.toUpperCase()).length > i",
    "splitting": "s.split(',').length > i || s.split(',')[0] === t || s.split('')[1] === t",
    "splitting by a pattern": "s.split(/[,-] ?/).length > i || s.split(/[ab]|,/)[0] === t || s.split(/-/)[1] === t || s.split(/\\d/, 2).length === i",
    "splitting with a limit": "s.split(',', 2).length > 1 || s.split('', 3).length === i || s.split(',', 1)[0] === t",
    "searches in a part": "s.endsWith(t, i) || s.lastIndexOf(t, i) === 1 || s.lastIndexOf('a', 3) === 0",
    "order of a language": "s.localeCompare(t) < 0 || t.localeCompare(s) === 1 || t.localeCompare('a') > 0",
    "normal forms": "s.normalize() === t || (s + '\\ufb01').normalize('NFKC') === t || (t + '\\u00e9').normalize('NFD').length === i",
    "joining": "s.split(',').join('-') === t || [s, t, i].join('+') === t",
    "arrays": "s.split('').reverse().join('') === t || [...s].slice(1).map((c) => c + '!').join('') === t",
    "more arrays": "((l) => { const p = l.pop(); l.unshift(t); l.shift(); l.push(p); return l.concat([t]).join('') === t })([...s])",
    "sorting": "[...s].sort().join('') === t || [n, m, i].sort((a, b) => a - b)[1] === i",
    "searching arrays": "[...s].indexOf(t) > i || [s, 'b'].includes(t) || [s, t].find((one) => one === 'a') === t",
    "collections": "new Map([['a', 1]]).get(s) === 1 || new Set(['b']).has(s) || new Set(s).size === i",
    "tables": "[3, 1, 4, 1, 5][i] + { a: 9, b: 2, '': 7 }[t] > n || ['ab', 'ba', 'a', 'b', ''][i] === t || new Map([['a', 'x']]).get(t) === s",
    "rows of tables": "[[1, 2], [3, 4], [5, 6], [7, 8], [9, 0]][i][n & 1] > 4 || { a: { k: s } }[t].k === t",
    "truth values of tables": "({ a: true, b: false, A: true })[t] || { a: 1 }[s] === undefined",
    "written keys": "((c) => { for (const x of s) c[x] = (c[x] || 0) + 1; return c[t] > 1 || c[s] === i })({})",
    "written keys of collections": "((m, k) => m.set(s, n).get(t) === n || k.add(t).has(s))(new Map(), new Set())",
    "entries": "((o) => { for (const [k, c] of [...s].entries()) if (k > 0) o += c; return o === t })('')",
    "methods of arrays on texts": "Array.prototype.map.call(s, (c) => c + c).join('') === t || Array.prototype.some.call(s, (c) => c === t)",
    "from the end": "[...s].reduceRight((a, c) => a + c, '') === t || [...s].findLast((c) => c > 'a') === t || [...s].flatMap((c) => [c, t]).join('') === t",
    "chosen values": "((c, e) => { const a = c > e ? c - e : e; let b = 'y'; if (s === t) b = t; if (c & 1) e += 2; else e -= 1; return a + e > 20 || b === s })(n, i)",
    "spreading": "Math.max(...[n, i, m]) > n || ((...l) => l.join(''))(...s, t) === s || [t, ...s, 'x'].join('') === t || { ...{ q: s }, r: t }.q === t",
    "typed arrays": "((b) => b[0] + b.subarray(1)[0] > 200 || b.reduce((a, x) => (a + x) & 255, 0) > n || [...b].length === i)(new TextEncoder().encode(s + 'ab'))",
    "made typed arrays": "Uint8Array.from([n & 255, i])[0] > 60 || new Uint32Array([i, 2])[0] > 3 || Uint8Array.from([...s], (c) => c.charCodeAt(0)).map((x) => x ^ 1)[0] === i",
    "decoded bytes": "new TextDecoder().decode(new TextEncoder().encode(s)) === t",
    "generators": "((g) => { let o = 0; for (const x of g(n)) o += x; return o > 9 })(function* (k) { while (k > 0) { yield k % 10; k = Math.floor(k / 10) } })",
    "optional members": "({ v: s })?.v.trim() === t || s?.slice(1) === t || { v: { w: t } }.v?.w?.toUpperCase() === s",
    "truth of values": "Boolean(s) === Boolean(n) || s.split('b').filter(Boolean).join('') === t || [n, i].some(Boolean)",
    "indexes in a list": "n in [7, 8, 9] || i in [s, t] || (i % 3) in new Uint8Array(2)",
    "keys": "({ a: 1, b: 2 })[s] === 2 || s in { a: 1 } || Object.values({ x: s })[0] === t",
    "patterns": "/^[a-c]+$/.test(s) || /\\d/i.test(s) || s.search(/b/) === i || /a(?=b)|^c/.test(s)",
    "captures": "((m) => m !== null && m[1] === t && m.index === i)(/([a-z]+)(\\d)?/.exec(s))",
    "named captures": "((m) => m !== null && m.groups.one === t)(s.match(/(?<one>[ab])-?/))",
    "captures of one value": "((m) => m !== null && (m.groups.b === t || m.groups.a === s))"
    "(/(?<a>[ab])(?:[(\\]](?=x))?(?<b>[ab])/.exec(s + t))",
    "all matches": "[...s.matchAll(/([a-z])(\\d?)/g)].some((m) => m[1] === t) || (s.match(/[ab]/g) || []).length === i",
    "matches in a loop": "((re, n) => { let m; while ((m = re.exec(s))) if (m[0] === t) n += 1; return n > 1 })(/[a-z]/g, 0)",
    "numbers of texts": "Number(d) > n || parseInt(d, 10) === i || parseFloat(d) < m || +d === n || parseInt(d, 16) > i",
    "numbers at the beginning": "parseInt(d + 'x', 10) === i || parseFloat(`${m}kg`) < n || parseInt(`-${i}7px`) < n"
    " || parseInt(`0x${i}f`, 16) > n || Number(`0x${i}f`) > n || Number(`-${i}.5`) < m || parseFloat(`${i}.25.`) > m",
    "not numbers": "isNaN(d) || isNaN(s)",
    "texts of numbers": "String(n) === t || n.toString(2) === t || n.toString(36) === t || m.toFixed(2) === t",
    "arithmetic": "n + m > i * n - m || n % 7 === i || m / 3 < n || n ** 2 > 50 || -n < m",
    "powers": "n ** 2 > 50",
    "signs": "-n < m",
    "numbers of truth values": "(s === t) + 1 > i",
    "products": "Math.imul(n, i) > 7",
    "sums of big numbers": "BigInt(n) + 5n > BigInt(i) - 4n",
    "rounding": "Math.floor(m) + Math.ceil(m) + Math.round(m) + Math.trunc(m) > Math.abs(n) + Math.sign(m)",
    "extremes": "Math.max(n, m, i) - Math.min(n, m) > Math.sqrt(Math.abs(i)) || Math.pow(n, 2) === Math.imul(n, i)",
    "roots": "Math.cbrt(i * i * i) === i || Math.hypot(3 * i, 4 * i) > 7 || Math.sqrt(i * i) > 2",
    "logarithms": "Math.log2(n * n + 1) === 3 || Math.log10(i + 1) > 0.5 || Math.clz32(n) > 24",
    "bits of big numbers": "(BigInt(n * n) & 255n) > 99n || (BigInt(i) | 6n) === 7n || (BigInt(i) ^ 5n) > 4n || (BigInt(n) << 3n) >> 1n > 90n",
    "powers of big numbers": "BigInt(i) ** 3n === 27n",
    "wrapped big numbers": "BigInt.asIntN(8, BigInt(n)) < 0n || BigInt.asUintN(6, BigInt(n)) > 31n || Number(BigInt(n)) > i || BigInt(i).toString(2) === t",
    "finite numbers": "isFinite(d) || isFinite(s)",
    "bits": "(n & 255) + (n | i) + (n ^ 21) + (~n) + (n << 3) + (n >> 1) + (n >>> 28) > 100",
    "whole numbers": "Number.isInteger(m) || Number.isInteger(n) || Number.isSafeInteger(n)",
    "big numbers": "BigInt(n) * 1000000007n % 97n > BigInt(i) || BigInt(n) / 7n === 3n || BigInt(n) - 4n < 0n",
    "character codes": "String.fromCharCode(97 + i, 98) === t || String.fromCharCode(s.charCodeAt(0) + 1) === t",
    "logical operators": "((c, e) => (c >= 3 && c <= 9 ? 1 : 0) + (e > 2 || c > e ? 2 : 0) === 3 || (n && i) > 2 || (n || m) === m)(n, i)",
    "folds of pairs": "((p) => p[0] % 7 === i && p[1] > n)([...s].reduce(([a, b], c) => [a + c.charCodeAt(0), b + a], [1, 0]))",
    "callbacks that fail": "[...s].map((c) => { try { return [c, t].map((d) => { if (d === 'a') throw new Error(d); return d }).join('') }"
    " catch (e) { return e.message } }).join('') === t || [...s].some((c) => [t].every((d) => c > d))",
    "bound callbacks": "[...s].map(function (k, c) { return k + c }.bind(null, t)).join('') === t || [n, i].filter((x) => x > m).length === 1",
    "digests": "((c) => c.createHash('sha256').update(s, 'utf8').update(t).digest('hex').startsWith('0') || c.createHash('md5').update(Buffer.from(t)).digest()[0] > 99"
    " || c.createHash('sha1').update(s).digest('base64').slice(0, 2) === t)(process.getBuiltinModule('node:crypto'))",
    "truth": "!s || !n || !(s && t) || (n > 3) === (m > 3)",
    "base64": "Buffer.from(s).toString('base64') === t || Buffer.from(btoa(s), 'base64').toString() === t || atob(btoa(s)) === t",
    "hexadecimal": "Buffer.from(s).toString('hex') === t || Buffer.from(d, 'hex').length === i || Buffer.from(s)[0] > 99",
    "bytes of numbers": "Buffer.from([s.charCodeAt(0) & 127, 98, i & 127]).toString() === t || Buffer.concat([Buffer.from(s), Buffer.from([i & 255])]).toString() === s",
    "parts of bytes": "Buffer.from(s + t).subarray(1, 3).toString() === t || Buffer.from(s + t).slice(0, 2).toString('hex') === d",
    "bytes of UTF-8": "Buffer.from([195, 160 + (i & 31), s.charCodeAt(0) & 127]).toString() === t || new TextDecoder().decode(Uint8Array.from([i & 255, 65])) === t",
    "bytes": "((b) => b.length > 3 && b.readUInt16BE(0) > 25000 && b.readUInt32LE(0) > i)(Buffer.from(s + 'abcd'))",
    "signed bytes": "((b) => b.readInt8(0) > 0 || b.readInt16BE(0) > 9 || b.readInt32LE(1) < i || b.readUIntBE(0, 3) > 99 || b.readIntLE(1, 2) > n)(Buffer.from(d + 'ff80', 'hex'))",
    "more signed bytes": "((b) => b.readInt32BE(0) < 1700000000 + n || b.readUIntLE(0, 3) > i)(Buffer.from(s + 'abcd'))",
    "views of bytes": "((b) => { const v = new DataView(b.buffer, b.byteOffset, b.length); return v.getUint16(0) > 24900 || v.getInt8(1) > n || v.getUint32(0, true) > i })(Buffer.from(s + 'abcd'))",
    "base64 of addresses": "Buffer.from(s + '??>').toString('base64url') === t",
    "parameters of a name": "((p) => p.getAll('a').length === i || p.getAll('a')[1] === t || p.has('b') || p.get('c') === null)(new URLSearchParams(`a=${i}&a=${encodeURIComponent(s)}`))",
    "kept elements": "[...s].filter((c) => c > 'A' && c !== t).length === i || [n, m, i].filter((x) => x > 2).length > 1",
    "addresses": "encodeURIComponent(s) === t || encodeURI(s + '/?') === t || decodeURIComponent(encodeURIComponent(s)) === t",
    "parameters": "new URLSearchParams('a=' + encodeURIComponent(s) + '&b=2').get('a') === t",
    "parts of addresses": "((u) => u.hostname === t || u.port === s || u.searchParams.get('q') === t)(new URL('http://h' + i + '.x:8' + i + '/p?q=' + d))",
    "JSON": '((o) => o.a === t || o.b[0] > i || o[\'c/d\'] === true)(JSON.parse(`{"a":"${i}","b":[${n}],"c/d":true}`))',
    "dates": "((x) => x.getUTCDay() === i || x.getUTCDate() === 3 || x.getUTCMonth() > 4)(new Date(`20${10 + i}-0${1 + i}-1${i}`))",
    "times": "Date.UTC(2000 + i, i, 5) > 981173106000 || Date.parse(`200${i}-0${1 + i}-11`) > 981173106000",
    "dates of times": "((x) => x.getUTCDay() === i || x.getUTCDate() === 5 || x.getUTCFullYear() > 2002)"
    "(new Date(Date.UTC(2000 + i, i, 5 + i)))",
    "times of day": "((x) => x.getUTCHours() === i || x.getUTCMinutes() > 20 || x.getUTCSeconds() === 7 || x.getUTCMilliseconds() > 3)"
    "(new Date(`2021-0${1 + i}-1${i}T0${i}:1${i}:2${i}.00${i}Z`))",
    "dates of milliseconds": "((x) => x.getUTCFullYear() === 1970 + i && x.getUTCMonth() === i || x.getUTCDate() > 9 || x.getUTCDay() === i"
    " || x.getUTCHours() > 12)(new Date(n * 86400000 * 9 + i * 3600000))",
    "moved dates": "((x) => { x.setUTCDate(x.getUTCDate() + n); x.setUTCHours(i); return x.getUTCMonth() === i || x.getTime() > 1e12 })"
    "(new Date(Date.UTC(2001, i, 5)))",
    "dates of other months": "((x) => { x.setUTCMonth(x.getUTCMonth() + i); x.setUTCFullYear(2000 + i);"
    " return x.getUTCDate() === 2 || x.getUTCMonth() > 4 || x.getUTCFullYear() === 2003 })(new Date(Date.UTC(2001, i, 29 + i)))",
    "written dates": "new Date(n * 86400000 + i * 61000).toISOString().slice(0, 10) === t",
    "local dates": "((x) => x.getDay() === i || x.getDate() === 7 || x.getMonth() > 2)(new Date(2000 + i, 3 + i, 5 + i))",
    "quotients": "Math.floor(n / 10) % 10 + Math.floor((n + i) / 7) + Math.floor(n / -3) === 0",
    "hashes": "((Math.imul((n << 5) - n + i, 16777619) ^ (n >>> 3)) >>> 0) % 65536 > 9999 || ((n * 33) ^ i) < 0 || -n % 7 > i",
    "hashes of texts": "[...s].reduce((h, c) => ((h << 5) - h + c.charCodeAt(0)) | 0, i) > 2222 || (~s.length ^ n) >> 1 === 5",
}
NUMERIC = ("bits", "hashes", "hashes of texts", "arithmetic", "extremes", "truth", "codes")
"""Those that are compared in the encoding of bits, too."""


def drawn(rng: Random) -> list[Any]:
    """Returns a text of letters, a short text, a text of a number, and numbers."""
    letters = "abcABC12,-é \U0001f600" if rng.random() < 0.2 else "abcAB12,- "
    text = "".join(rng.choice(letters) for _ in range(rng.randrange(7)))
    short = rng.choice(["a", "b", "A", "1", ",", "", "ab", text[:2], text])
    number = rng.choice(["12", "-3", "0x1f", " 7 ", "4.5", "abc", "", "1e3", "12px", "007", "6f6b"])
    return [text, short, number, rng.randrange(5), rng.randrange(-40, 4000), rng.choice([2.5, -1.25, 7, 0.1, -3])]


def computed_differences(path: Path) -> list[str]:
    values = node_values(path, {})
    return [
        f"{node.op}{[path.nodes[arg].value for arg in node.args]}: {node.value!r} in V8, {value!r} computed"
        for node, value in zip(path.nodes, values, strict=True)
        if value is not None and value != (to_units(node.value) if isinstance(node.value, str) else node.value)
    ]


def encoded_differences(path: Path, encoding: type[VectorTerms]) -> list[str]:
    """Compares the nodes whose encoding assumes nothing that does not hold."""
    lengths = {place: len(value) for place, value in path.inputs().items() if isinstance(value, str)}
    terms, found = encoding(path, lengths), []
    for index, node in enumerate(path.nodes):
        if not isinstance(node.value, bool):
            continue
        try:
            condition = terms.condition(index, holds=not node.value)
        except Unmodelled:
            continue
        solver = z3.SimpleSolver()
        solver.set("rlimit", 500_000)
        solver.add(condition, *terms.assumed)
        for place, value in path.inputs().items():
            term = terms.inputs.get(place)
            if isinstance(term, list):
                solver.add(*(code == ord(char) for code, char in zip(term, str(value), strict=True)))
            elif term is not None:
                solver.add(term == pinned(term, value))
        if solver.check() == z3.sat:
            found.append(f"{node.op}{[path.nodes[arg].value for arg in node.args]}: {node.value} in V8")
    return found


def pinned(term: Any, value: Any) -> Any:
    """Returns the value of an input as a term of its sort."""
    if isinstance(value, bool):
        return value
    return z3.BitVecVal(int(value), BITS) if z3.is_bv(term) else number_terms.constant(float(value))


SLOW = frozenset({"dates of other months"})
"""Their terms take Z3 a hundred times as long as others."""


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_computes_what_v8_has_computed(name: str) -> None:
    rng, n_symbolic = Random(f"models {name}"), 0
    n_runs = N_RUNS // 6 if name in SLOW else N_RUNS
    with TracedFunction(f"(s, t, d, i, n, m) => {EXPRESSIONS[name]}") as function:
        for _ in range(n_runs):
            args = drawn(rng)
            _, path = function.run(args)
            n_symbolic += len(path.entries)
            assert computed_differences(path) == [], args
            assert encoded_differences(path, VectorTerms) == [], args
            if name in NUMERIC:
                assert encoded_differences(path, BitTerms) == [], args
    assert n_symbolic > n_runs / 2, "the values have no expressions"


def test_every_operation_is_tested() -> None:
    computed: set[str] = set()
    thunks = ", ".join(f"() => {one}" for one in EXPRESSIONS.values())
    caught = "((one) => { try { return one() } catch { return 0 } })"
    with TracedFunction(f"(s, t, d, i, n, m) => [{thunks}].map{caught}.length") as function:
        rng = Random(5)
        for _ in range(N_RUNS):
            path = function.run(drawn(rng))[1]
            values = node_values(path, {})
            computed |= {node.op for node, value in zip(path.nodes, values, strict=True) if value is not None}
    assert set(OPERATIONS) - computed == set()
