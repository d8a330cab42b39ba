"""Guards that only a solver opens: from any arguments to the wanted result, each answer run for real."""

from __future__ import annotations

from typing import Any

import pytest

from traced_function import TracedFunction
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
    "counted-letters": (
        r"""function(a,b){ if(a.length!==b.length||a===b||a.length<3) return 'no'; const n={};
        for(const c of a) n[c]=(n[c]||0)+1;
        for(const c of b){ if(!n[c]) return 'no'; n[c]-=1 }
        return 'hit'}""",
        ["abc", "def"],
    ),
    "generator": (
        r"""function(n){ function* digits(k){ while(k>0){ yield k%10; k=Math.floor(k/10) } }
        if(!(n>=1000&&n<=9999)) return 'no'; let sum=0,w=2;
        for(const d of digits(n)){ sum+=d*w; w+=1 }
        return sum%11===0&&n%13===5?'hit':'no'}""",
        [7],
    ),
    "bytes": (
        r"""function(s){ const b=new TextEncoder().encode(s); if(b.length<4) return 'no';
        const sum=b.subarray(0,b.length-1).reduce((x,y)=>(x+y)&0xff,0);
        return (sum&0x7f)===b[b.length-1]?'hit':'no'}""",
        ["abcd"],
    ),
    "big-remainder": (
        r"""function(s){ if(!/^[A-Z]{2}\d{2}[A-Z0-9]{6}$/.test(s)) return 'form';
        const digits=(s.slice(4)+s.slice(0,4)).replace(/[A-Z]/g,(c)=>String(c.charCodeAt(0)-55));
        return BigInt(digits)%97n===1n?'hit':'no'}""",
        ["abc"],
    ),
    "base64": (
        r"""function(s){ const [user,level]=Buffer.from(s||'','base64').toString().split('|');
        return user==='root'&&Number(level)%4===1?'hit':'no'}""",
        ["cm9vdHw4"],
    ),
    "weekday": (
        r"""function(s){ const [y,m,d]=s.split('-').map(Number);
        const at=new Date(Date.UTC(y,m-1,d));
        return at.getUTCDay()===5&&at.getUTCDate()===13&&y>2000?'hit':'no'}""",
        ["1999-05-06"],
    ),
    "palindrome": (
        r"""function(s){ if(s.length!==7) return 'l';
        for(let i=0;i<3;i++) if(s[i]!==s[s.length-1-i]) return 'no';
        return s[0]!==s[1]&&s[1]==='k'?'hit':'x'}""",
        ["foo"],
    ),
    "mask": (
        r"""function(n){ if((n & 0xff)===0x5a && (n>>8 & 0xf)===3 && n>5000) return 'hit';
        return 'no'}""",
        [12],
    ),
    "two-regex": (
        r"""function(s){ return /^[a-f]{3}\d+$/.test(s) && /(12|34)$/.test(s) && s.length===9 && !/a/.test(s) ? 'hit':'no'}""",
        ["foo"],
    ),
    "radix": (
        r"""function(s){ return parseInt(s,36)===123456 ? 'hit':'no'}""",
        ["foo"],
    ),
    "sorted": (
        r"""function(a,b,c){ if(a<b&&b<c&&a+b+c===100&&a*b===c) return 'hit';
        return 'no'}""",
        [1, 1, 1],
    ),
    "case": (
        r"""function(s){ switch(s.trim().toLowerCase()){case 'red': return 1;
        case 'green': return 'hit'} return 0}""",
        ["foo"],
    ),
    "kept-elements": (
        r"""function(s,n,m){ return [...s].filter((c)=>c>='0'&&c<='9').length===3&&s.length===5&&s.startsWith('a')
        &&[n,m,n+m].filter((x)=>x%7===3&&x>50).length===2?'hit':'no' }""",
        ["abc", 1, 2],
    ),
    "moved-date": (
        r"""function(y,m,d){ if(!(y>1950&&y<2050&&m>=1&&m<=12&&d>0&&d<29)) return 'no';
        const x=new Date(Date.UTC(y,m-1,d)); x.setUTCDate(x.getUTCDate()+100);
        return x.getUTCMonth()===11&&x.getUTCDate()===25?'hit':'no' }""",
        [7, 7, 7],
    ),
    "time-of-day": (
        r"""function(s){ const x=new Date(s); return x.getUTCHours()===13&&x.getUTCMinutes()===37
        &&x.getUTCMonth()===6?'hit':'no' }""",
        ["abc"],
    ),
    "leap-day": (
        r"""function(s){ const x=new Date(s); return x.getUTCMonth()===1&&x.getUTCDate()===29&&x.getUTCFullYear()%100===0?'hit':'no'}""",
        ["abc"],
    ),
    "number-and-unit": (
        r"""function(s){ return parseFloat(s)===12.75&&s.endsWith('kg')?'hit':'no'}""",
        ["abc"],
    ),
    "without-blanks": (
        r"""function(s){ return s.length>=12&&s.replace(/\D/g,'')==='4915550'?'hit':'no'}""",
        ["abc"],
    ),
    "all-words": (
        r"""function(s){ const w=s.match(/[A-Z][a-z]+/g);
        return w!==null&&w.length===3&&w.join('_').toLowerCase()==='get_next_row'?'hit':'no'}""",
        ["abc"],
    ),
    "binary": (
        r"""function(s){ return parseInt(s,2)===181&&s.length===8?'hit':'no'}""",
        ["abc"],
    ),
    "hexadecimal-number": (
        r"""function(s){ return s.startsWith('0x')&&Number(s)===48879?'hit':'no'}""",
        ["abc"],
    ),
    "named-groups": (
        r"""function(s){ const m=/^(?<a>\d+)[.](?<b>\d+)[.](?<c>\d+)$/.exec(s);
        return m!==null&&Number(m.groups.a)*100+Number(m.groups.b)===1742&&Number(m.groups.c)>Number(m.groups.b)?'hit':'no'}""",
        ["abc"],
    ),
    "beginning-of-a-hash": (
        r"""function(s){ return process.getBuiltinModule('node:crypto').createHash('sha256').update(s).digest('hex').startsWith('000')?'hit':'no'}""",
        ["abc"],
    ),
    "table": (
        r"""function(s){ const t={alpha:1,beta:2,gamma:3};
        return t[s]===3?'hit':'no'}""",
        ["foo"],
    ),
    "keys-of-characters": (
        r"""function(s){ const t={A:1,B:2,Z:9}; let n=0;
        for(const c of s){ if(!(c in t)) return 'no';
        n+=t[c] } return s.length===7&&n===31?'hit':'no' }""",
        ["xyz"],
    ),
    "set-and-own-member": (
        r"""function(s,u){ const t={red:1,green:2};
        return new Set(['kg','lb']).has(u)&&Object.hasOwn(t,s)&&t[s]===2?'hit':'no' }""",
        ["xy", "xy"],
    ),
    "table-of-redundancy": (
        r"""function(s){ const t=Array.from({length:256},(_,n)=>{ let c=n;
        for(let k=0;k<8;k++) c=c&1?0xedb88320^(c>>>1):c>>>1;
        return c>>>0 }); let r=-1;
        for(let i=0;i<s.length;i++) r=t[(r^s.charCodeAt(i))&255]^(r>>>8);
        return (r^-1)>>>0===0xc95a6822?'hit':'no' }""",
        ["abcd"],
    ),
    "parts-of-a-list": (
        r"""function(s){ const parts=s.split(',').map(Number);
        return parts.length===3&&parts.reduce((a,b)=>a+b)===77?'hit':'no' }""",
        ["1,2"],
    ),
    "ranges-of-a-list": (
        r"""function(s){ let n=0; for(const part of s.split(',')){ const [from,to]=part.split('-');
        if(!/^\d+$/.test(from)||!/^\d+$/.test(to)||+to<+from) return 'no';
        n+=+to-+from+1 } return n===37&&s.includes(',')?'hit':'no' }""",
        ["1-3"],
    ),
    "numeral-from-the-end": (
        r"""function(s){ const v={I:1,V:5,X:10,L:50,C:100};
        if(!/^[IVXLC]+$/.test(s)) return 'no';
        return [...s].reduceRight((t,c)=>t+v[c],0)===15?'hit':'no' }""",
        ["X"],
    ),
    "map-of-pairs": (
        r"""function(s){ const m=new Map(s.split(';').map((p)=>p.trim().split('=')));
        return m.get('tier')==='gold'&&Number(m.get('age'))>40?'hit':'no' }""",
        ["a=1;b=2"],
    ),
    "object-of-pairs": (
        r"""function(s){ const o=Object.fromEntries(s.split('&').map((p)=>p.split(':')));
        return o.unit==='kg'&&'net' in o?'hit':'no' }""",
        ["a:1&b:2"],
    ),
    "counted-by-key": (
        r"""function(s){ const n={}; for(const c of s) n[c]=(n[c]??0)+1;
        return s.length===5&&n.q===1&&n.z===1?'hit':'no' }""",
        ["abcde"],
    ),
    "bytes-in-hex": (
        r"""function(s){ const b=s.split(':').map((p)=>parseInt(p,16));
        return b.length===6&&b.every((n)=>n>=0&&n<256)&&b.reduce((x,y)=>x^y,0)===0x5a&&b[0]===2?'hit':'no' }""",
        ["40:0:0:0:0:0Xfn"],
    ),
    "looked-up-parts": (
        r"""function(s){ const m={'.-':'a','-..':'d','.':'e','---':'o','...':'s','-':'t'};
        return s.split(' ').map((w)=>m[w]).join('')==='soda'?'hit':'no' }""",
        ["- - . ."],
    ),
    "address-in-a-network": (
        r"""function(s){ if(s.split('.').length!==4) return 'no';
        const n=s.split('.').reduce((n,o)=>{ if(!/^\d{1,3}$/.test(o)||Number(o)>255) throw new Error(o);
        return n*256+Number(o) },0);
        return Math.floor(n/4096)===704833&&s.endsWith('.77')?'hit':'no' }""",
        ["1.2.3.4"],
    ),
    "adler32": (
        r"""function(s){ let a=1,b=0; for(let i=0;i<s.length;i++){ a=(a+s.charCodeAt(i))%65521; b=(b+a)%65521 }
        return (((b<<16)|a)>>>0)===0x5f101d9?'hit':'no' }""",
        ["abcde"],
    ),
    "base32": (
        r"""function(s){ const A='ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'; let n=0,v=0; const out=[];
        for(const c of s){ const i=A.indexOf(c); if(i<0) return 'no'; v=(v<<5)|i; n+=5;
        if(n>=8){ out.push((v>>>(n-8))&255); n-=8 } }
        return Buffer.from(out).toString()==='wim'?'hit':'no' }""",
        ["ABCDE"],
    ),
    "replaced-once": (
        r"""function(s){ let n=0;
        for(const c of s.replace(/=+$/,'')) n=n*7+c.charCodeAt(0);
        return s.length===3&&n===5301?'hit':'no' }""",
        ["abc"],
    ),
}


@pytest.mark.parametrize("name", GUARDS)
def test_opens(name: str) -> None:
    source, args = GUARDS[name]
    with TracedFunction(source) as function:
        assert function.run(args)[0] != "hit"
        assert function.explore(args, "hit") is not None


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
