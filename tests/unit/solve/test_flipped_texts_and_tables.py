"""Guards over texts, lists, tables, bytes and dates that only a solver opens, each answer run for real."""

from __future__ import annotations

from typing import Any

import pytest

from traced_function import assert_opens

pytestmark = pytest.mark.e2e

GUARDS: dict[str, tuple[str, list[Any]]] = {
    "anagram-with-an-end": (
        r"""function(s){ const signature=(word)=>[...word.toLowerCase()].sort().join('');
        return signature(s)===signature('triangle')&&s.endsWith('ing')?'hit':'no'}""",
        ["argntile"],
    ),
    "median": (
        r"""function(s){ const v=s.split(',').map(Number).sort((a,b)=>a-b);
        return v.length===5&&v[2]===77&&v[4]-v[0]===13?'hit':'no'}""",
        ["9,2,7,1,5"],
    ),
    "getter": (
        r"""function(a,b){ class Box { constructor(w,h){this.w=w;this.h=h} get area(){return this.w*this.h} }
        return new Box(a,b).area===391&&a<b&&a>1?'hit':'no'}""",
        [3, 4],
    ),
    "permutation": (
        r"""function(a,b,c,d){ const order=[a,b,c,d]; const seen=new Array(4).fill(false);
        for(const at of order){ if(!Number.isInteger(at)||at<0||at>=4||seen[at]) return 'no'; seen[at]=true }
        return a===3&&order[a]===1?'hit':'no'}""",
        [0, 1, 2, 3],
    ),
    "digits-one-by-one": (
        r"""function(s){ if(s.length!==6) return 'no'; let sum=0;
        for(let i=0;i<5;i++){ const n=Number.parseInt(s.charAt(i),10); if(Number.isNaN(n)) return 'no'; sum+=n*(i+2) }
        return String(sum%7)===s.charAt(5)&&sum>30?'hit':'no'}""",
        ["1bcdef"],
    ),
    "numbers-as-keys": (
        r"""function(a,b,c,d){ const seen={};
        for(const one of [a,b,c,d]){ if(seen[one]) return 'no'; seen[one]=true }
        return a+b+c+d===10&&a*b*c*d===24?'hit':'no'}""",
        [1, 1, 1, 1],
    ),
    "size-of-a-filled-set": (
        r"""function(s){ const seen=new Set();
        for(const part of s.split(',')) seen.add(part);
        return seen.size===4?'hit':'no'}""",
        ["a,b,b,a"],
    ),
    "parts-of-a-number-of-many-digits": (
        r"""function(s){ if(!/^\d{1,20}$/.test(s)) return 'no'; const id=BigInt(s);
        return (id&0xfffn)===42n&&((id>>12n)&0x3ffn)===513n&&((id>>22n)/1000n)%60n===7n?'hit':'no'}""",
        ["2283802666"],
    ),
    "parts-put-together": (
        r"""function(s){ if(!/^[a-z]+([-_][a-z]+)+$/.test(s)) return 'no';
        const name=s.split(/[-_]/).map((w,i)=>i===0?w:w[0].toUpperCase()+w.slice(1).toLowerCase()).join('');
        return name==='maxRetryCount'?'hit':'no'}""",
        ["aaa-bb-ccc"],
    ),
    "template-of-several-inputs": (
        r"""function(region,index,zone){ const id=`${region}-${Number(index)*2}${zone.toLowerCase()}`;
        return id==='eu-west-14b'&&zone!=='b'?'hit':'no'}""",
        ["abc", "5224", "b"],
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
    "mask-of-an-address": (
        r"""function(s){ if(!/^\d{1,3}(\.\d{1,3}){3}$/.test(s)) return 'no';
        const n=s.split('.').reduce((n,o)=>n*256+Number(o),0), mask=(~0<<12)>>>0;
        return ((n&mask)>>>0)===0xac141000?'hit':'no' }""",
        ["1.2.3.4"],
    ),
    "sum-in-hex": (
        r"""function(s){ const end=s.indexOf('*'); if(s[0]!=='$'||end<2) return 'no'; let sum=0;
        for(let i=1;i<end;i++) sum^=s.charCodeAt(i);
        return sum.toString(16).toUpperCase()===s.slice(end+1)?'hit':'no' }""",
        ["$AB*"],
    ),
    "names-in-a-text": (
        r"""function(s){ const o=Object.fromEntries(s.split(',').map((one)=>one.split('=')));
        return o.level==='high'&&o.zone==='9'?'hit':'no' }""",
        ["abc"],
    ),
    "rest-of-parts": (
        r"""function(s){ const [type,...rest]=s.split(';');
        const [,q]=rest.map((one)=>one.split('=')).find(([name])=>name==='q')??[];
        return type==='csv'&&parseFloat(q)===0.7?'hit':'no' }""",
        ["csv;q=1"],
    ),
}


HARD = frozenset({"leap-day", "moved-date", "ranges-of-a-list", "table-of-redundancy", "time-of-day"})
"""They take longer than all others together."""


@pytest.mark.parametrize("name", [pytest.param(one, marks=pytest.mark.long if one in HARD else ()) for one in GUARDS])
def test_the_solver_opens_each_guard_of_texts_and_tables(name: str) -> None:
    assert_opens(*GUARDS[name])
