"""Guards that only a solver opens: from any arguments to the wanted result, each answer run for real."""

from __future__ import annotations

from typing import Any

import pytest

from traced_function import TracedFunction, assert_opens
from wimble.solve.ladder import flipped

pytestmark = pytest.mark.e2e

GUARDS: dict[str, tuple[str, list[Any]]] = {
    "quadratic": (
        r"""function(x,y){ if (x*x - 3*y === 1009) return 'hit';
        return 'no' }""",
        [3, 4],
    ),
    "luhn": (
        r"""function(s){ if(!/^\d{16}$/.test(s)) return 'no';
        let sum=0;
        for(let i=0;i<s.length;i++){let d=Number(s[s.length-1-i]);
        if(i%2===1){d*=2;
        if(d>9)d-=9} sum+=d} return sum%10===0?'hit':'no'}""",
        ["1234567890123456"],
    ),
    "checksum": (
        r"""function(s){ let h=7;
        for(let i=0;i<s.length;i++) h=(h*31+s.charCodeAt(i))%1000003;
        return h===424242?'hit':'no'}""",
        ["abcd"],
    ),
    "hash32": (
        r"""function(s){ let h=0;
        for(let i=0;i<s.length;i++) h=((h<<5)-h+s.charCodeAt(i))|0;
        return h===3556498?'hit':'no'}""",
        ["abcd"],
    ),
    "hash-with-xor": (
        r"""function(s){ let h=5381;
        for(let i=0;i<s.length;i++) h=(h*33)^s.charCodeAt(i);
        return s.length===5&&(h>>>0)%65536===4321?'hit':'no'}""",
        ["abcd"],
    ),
    "hash-with-products": (
        r"""function(s){ let h=0x811c9dc5;
        for(const c of s){ h^=c.charCodeAt(0); h=Math.imul(h,0x01000193) }
        return s.length===4&&((h>>>0)&0xffff)===0xbeef?'hit':'no'}""",
        ["abc"],
    ),
    "hash-one-at-a-time": (
        r"""function(s){ let h=0;
        for(let i=0;i<s.length;i++){ h+=s.charCodeAt(i); h+=h<<10; h^=h>>>6 } h+=h<<3; h^=h>>>11; h+=h<<15;
        return s.length===6&&(h>>>0)%65536===777?'hit':'no'}""",
        ["abcdef"],
    ),
    "depth-of-brackets": (
        r"""function(s){ let depth=0, deepest=0;
        for(const c of s){ if(c==='(') deepest=Math.max(deepest,++depth); else if(c===')') depth--;
        if(depth<0) return 'no' }
        return depth===0&&deepest===4?'hit':'no'}""",
        ["abcdefghij"],
    ),
    "counts-of-kinds": (
        r"""function(s){ let upper=0, digits=0, other=0;
        for(const c of s){ if(c>='A'&&c<='Z'){upper+=1} else if(c>='0'&&c<='9'){digits+=1; other+=0} else other++ }
        return s.length<=12&&upper===5&&digits===4&&other===1?'hit':'no'}""",
        ["abcdefghij"],
    ),
    "patterns": (
        r"""function(s){ const [[a],[b]]=s.split(';').map((one)=>one.split(':').map(Number));
        const sum=([x,y],{z})=>x*y+z;
        return sum([a,b],{z:a})===408&&b>1&&b<20?'hit':'no'}""",
        ["1:2;3:4"],
    ),
    "network": (
        r"""function(s){ const parts=s.split('.'); let n=0;
        if(parts.length!==4) return 'no';
        for(const p of parts){ if(!/^\d{1,3}$/.test(p)||Number(p)>255) return 'no'; n=n*256+Number(p) }
        return Math.floor(n/4096)===Math.floor(2886995968/4096)&&n%256===77?'hit':'no'}""",
        ["10.0.0.1"],
    ),
    "look-behind": (
        r"""function(s){ const m=/(?<=price: )\d+(?= EUR)/.exec(s);
        return m!==null&&Number(m[0])===815&&/(?<![a-z])price/.test(s)?'hit':'no' }""",
        ["abc"],
    ),
    "back-references": (
        r"""function(s){ return /^(["'])([a-z]{4})\1=\2$/.test(s)&&!/(.)\1/.test(s)&&s[1]==='k'?'hit':'no' }""",
        ["abc"],
    ),
    "position-of-a-pattern": (
        r"""function(s){ return s.search(/\d\d/)===5&&s.search(/[A-Z]/)===2&&s.length===8?'hit':'no' }""",
        ["abc"],
    ),
    "lines": (
        r"""function(s){ return /^to: ?\w+$/im.test(s)&&/^at: ?\d+$/im.test(s)?'hit':'no' }""",
        ["abc"],
    ),
    "letters-of-any-language": (
        r"""function(s){ return /^\p{Lu}\p{Ll}{3}\p{N}$/u.test(s)&&s[4]==='8'&&s.charCodeAt(0)>200?'hit':'no' }""",
        ["abc"],
    ),
    "parts-between-matches": (
        r"""function(s){ const p=s.split(/\s*[,;]\s*/,3);
        return p.length===3&&p[0]==='red'&&Number(p[2])%97===13&&Number(p[2])>500?'hit':'no' }""",
        ["abc"],
    ),
    "order-of-names": (
        r"""function(a,b){ return a.localeCompare(b)<0&&a.slice(1)===b.slice(1)&&a[0]==='m'&&b!==a?'hit':'no' }""",
        ["abcd", "abcd"],
    ),
    "printed-numbers": (
        r"""function(x,y,z){ return (x/7).toFixed(2)==='176.29'&&y.toString(36)==='zeta'
        &&(z+3).toString(2).padStart(12,'0')==='001011101101'?'hit':'no' }""",
        [7, 7, 7],
    ),
    "roots-and-logarithms": (
        r"""function(x,y,z){ return Math.hypot(x,y)===65&&x>y&&y>20&&Math.cbrt(z)===47&&Math.log2(z-103807)===4?'hit':'no' }""",
        [7, 7, 7],
    ),
    "leading-zeros": ("function(x){ return Math.clz32(x)===12&&x%1000===7?'hit':'no' }", [1]),
    "bits-of-big-numbers": (
        r"""function(s){ if(!/^\d+$/.test(s)) return 'no'; const v=BigInt(s);
        return (v&0xffffn)===0xbeefn&&(v>>16n)===0x1234n?'hit':'no' }""",
        ["abc"],
    ),
    "wrapped-big-numbers": (
        r"""function(s){ return /^\d+$/.test(s)&&BigInt.asIntN(16,BigInt(s)*3n)===-5n
        &&BigInt.asUintN(4,BigInt(s))===9n?'hit':'no' }""",
        ["abc"],
    ),
    "hash-of-64-bits": (
        r"""function(s){ let h=0xcbf29ce484222325n;
        for(const c of s){ h^=BigInt(c.charCodeAt(0)); h=BigInt.asUintN(64,h*0x100000001b3n) }
        return s.length===3&&(h&0xffffn)===0x1c4bn?'hit':'no' }""",
        ["abc"],
    ),
    "waiting": (
        r"""async function(s){ const part=s.slice(2); await null;
        const k=part.split('').map(Number).reduce((a,c)=>a*3+c,0); await new Promise(setImmediate);
        return s.length===8&&k===2022?'hit':'no' }""",
        ["abc"],
    ),
    "waiting-for-functions": (
        r"""async function(s,t){ const later=async(x)=>{ await null; return x.slice(0,x.length/2) };
        const both=async(x,y)=>{ const [a,b]=await Promise.all([later(x),later(y)]); return a+b };
        const one=await later(s), two=await both(s,t);
        return one.split('').reverse().join('')==='xela'&&two.endsWith('r-7')&&t.length===6?'hit':'no' }""",
        ["abcdefgh", "abcdef"],
    ),
    "date-of-milliseconds": (
        r"""function(n){ const x=new Date(n);
        return x.getUTCFullYear()===1999&&x.getUTCMonth()===8&&x.getUTCDate()===9?'hit':'no' }""",
        [7],
    ),
    "signed-bytes": (
        r"""function(s){ const d=Buffer.from(s,'hex'); return d.length===8&&d.readInt32BE(0)===-559038737
        &&d.readInt8(4)===-1&&d.readUIntBE(5,3)===66051?'hit':'no' }""",
        ["abc"],
    ),
    "views-of-bytes": (
        r"""function(s){ const d=Buffer.from(s,'hex'), v=new DataView(d.buffer,d.byteOffset,d.length);
        return d.length===6&&v.getUint16(0)===0x4d5a&&v.getUint32(2,true)===0x04030201?'hit':'no' }""",
        ["abc"],
    ),
    "missing-part": (
        r"""function(s){ const [x,y]=s.split('-');
        return y!==undefined&&Number(y)-Number(x)===77?'hit':'no'}""",
        ["a"],
    ),
    "table-of-rows": (
        r"""function(s){ const d=[[0,1,2,3,4],[1,2,3,4,0],[2,3,4,0,1],[3,4,0,1,2],[4,0,1,2,3]];
        const p=[[0,1,2,3,4],[1,3,0,4,2],[3,4,1,2,0]];
        if(!/^[1-4][0-4]{5}$/.test(s)) return 'form';
        let c=0; s.split('').reverse().map((x)=>parseInt(x,10)).forEach((x,i)=>{ c=d[c][p[i%3][x]] });
        return c===0?'hit':'no'}""",
        ["abc"],
    ),
    "table-of-texts": (
        r"""function(s){ const rows=['0317598642','7092154863','4206871359','1750983426','6123045978'];
        let row=0; for(const c of s) row=Number(rows[row%5][Number(c)]);
        return s.length===3&&row===7?'hit':'no'}""",
        ["000"],
    ),
    "numerals": (
        r"""function(s){ const values={I:1,V:5,X:10,L:50,C:100}; let total=0;
        if(!/^[IVXLC]+$/.test(s)) return 'form';
        for(let i=0;i<s.length;i++){ const now=values[s[i]],next=values[s[i+1]]||0; total+=now<next?-now:now }
        return total===94?'hit':'no'}""",
        ["VVVV"],
    ),
    "sum-of-chosen-values": (
        r"""function(s){ if(!/^[01]{10}$/.test(s)||s.includes('11')) return 'form';
        const fib=[1,2,3,5,8,13,21,34,55,89];
        const sum=s.split('').reverse().reduce((total,bit,i)=>bit==='1'?total+fib[i]:total,0);
        return sum===100?'hit':'no'}""",
        ["0000000000"],
    ),
    "bits-of-characters": (
        r"""function(s){ if(!/^[01]{8}$/.test(s)) return 'form'; let bit=0,value=0;
        for(const c of s){ bit^=c==='1'?1:0; value=(value<<1)|bit } return value===173?'hit':'no'}""",
        ["00000000"],
    ),
    "cyclic-redundancy": (
        r"""function(s){ if(!/^[0-9a-f]{6}$/.test(s)) return 'form'; let crc=0;
        const bytes=s.match(/../g).map((one)=>parseInt(one,16));
        for(const one of bytes.slice(0,2)){ crc^=one;
          for(let i=0;i<8;i++) crc=crc&0x80?((crc<<1)^7)&255:(crc<<1)&255 }
        return crc===bytes[2]&&bytes[0]===0x42?'hit':'no'}""",
        ["421234"],
    ),
    "digit-in-if": (
        r"""function(n){ if(!(n>1000&&n<9999)) return 'form'; let sum=0,factor=2;
        for(let m=n;m>0;m=Math.floor(m/10)){ let d=(m%10)*factor; if(d>9) d-=9; sum+=d; factor=factor===2?1:2 }
        return sum===35?'hit':'no'}""",
        [1001],
    ),
    "counters-in-a-switch": (
        r"""function(m){ let x = 0, y = 0;
        for (const c of m) {
          switch (c) {
            case 'N': y++; break;
            case 'S': y--; break;
            case 'E': case 'e': { x += 1; break }
            case 'W': x--; break;
            default: return 'bad' } }
        return x === 2 && y === -3 ? 'hit' : 'no' }""",
        ["abc"],
    ),
    "default-in-a-switch": (
        r"""function(m){ let x = 1;
        for (let i = 0; i < m.length; i++) {
          switch (m[i]) { default: x--; break; case 'N': x += 2; break; case 'q': throw new Error('q'); case 'S': x *= 3 } }
        return x === 21 ? 'hit' : 'no' }""",
        ["abcd"],
    ),
    "numbers-in-a-set": (
        r"""function(a, b, c){ const used = new Set(), costs = [[9, 2, 7], [6, 4, 3], [5, 8, 1]]; let total = 0;
        for (const [worker, job] of [a, b, c].entries()) {
          if (!(job in costs[worker]) || used.has(job)) return 'twice';
          used.add(job); total += costs[worker][job] }
        return total <= 9 ? 'hit' : 'no' }""",
        [1, 2, 0],
    ),
    "words-that-are-no-empty-texts": (
        r"""function(s){ const words = s.split(' ').filter(Boolean);
        return words.map((w) => w[0].toUpperCase()).join('') === 'NASA' ? 'hit' : 'no' }""",
        ["gc0 a  b"],
    ),
}


@pytest.mark.parametrize("name", GUARDS)
def test_the_solver_opens_each_guard(name: str) -> None:
    assert_opens(*GUARDS[name])


def test_one_answer_puts_dates_so_many_days_apart() -> None:
    with TracedFunction("(a, b) => (Date.parse(b) - Date.parse(a)) / 864e5 === 45 ? 'hit' : 'no'") as function:
        result, path = function.run(["2044-11-17", "2045-01-10"])
        assert result == "no"
        values = flipped(path, len(path.entries) - 1).values
        assert values is not None
        assert function.run([values["/0"], values["/1"]])[0] == "hit"


def test_what_cannot_hold_has_no_values() -> None:
    with TracedFunction("(x) => { if (x > 5 && x < 5) return 'hit'; return 'no' }") as function:
        assert function.explore([7], "hit") is None


def test_an_error_of_the_program_is_its_own() -> None:
    with TracedFunction("(x) => { if (x === 'abc') throw new Error('bad ' + x); return x.missing.y }") as function:
        assert function.run(["abc"])[0] == "throws bad abc"
        assert function.run(["q"])[0] == "throws Cannot read properties of undefined (reading 'y')"
