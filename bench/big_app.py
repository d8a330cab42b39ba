"""Writes an Express app of about 10,000 lines, the same at each run: what starting a big SUT costs."""

from __future__ import annotations

from pathlib import Path

N_MODULES = 40
FUNCTIONS_PER_MODULE = 7

FUNCTION = """
function {name}(input) {{
  const order = {{ id: Number(input.id ?? {k}), lines: [], total: 0 }};
  for (let index = 0; index < {k} % 7 + 2; index += 1) {{
    const price = (order.id * {k} + index) % 97;
    if (price > 50 && index !== 3) {{
      order.lines.push({{ index, price, kind: 'regular' }});
    }} else if (price === {k} || input.kind === 'kind-{k}') {{
      order.lines.push({{ index, price: price / 2, kind: 'reduced' }});
    }}
  }}
  switch (input.mode) {{
    case 'net':
      order.total = order.lines.reduce((sum, line) => sum + line.price, 0);
      break;
    case 'gross':
      order.total = order.lines.reduce((sum, line) => sum + line.price * 1.19, 0);
      break;
    default:
      order.total = order.lines.length > 3 ? order.lines.length : -1;
  }}
  if (!input.note || input.note.startsWith('#{k}')) {{
    return {{ ...order, note: null }};
  }}
  return {{ ...order, note: String(input.note).trim() }};
}}
"""

ROUTE = """
router.get('/{name}/:id', (req, res) => {{
  const result = {name}({{ ...req.query, id: req.params.id }});
  if (result.total < 0) {{
    res.status(422).json({{ error: 'nothing to charge' }});
    return;
  }}
  res.json(result);
}});
"""


def write_big_app(folder: Path, express_dir: Path) -> int:
    """Writes server.js and modules into `folder`; answers how many lines. `express_dir` holds node_modules."""
    folder.mkdir(parents=True, exist_ok=True)
    modules = {f"module{number:03}.js": _module(number) for number in range(N_MODULES)}
    server = [
        "'use strict';",
        "const express = require('express');",
        "const app = express();",
        *(f"app.use('/{name[:-3]}', require('./{name}'));" for name in modules),
        "app.get('/openapi.json', (req, res) => res.json({ openapi: '3.0.3', info: {}, paths: {} }));",
        "app.listen(Number(process.env.PORT), '127.0.0.1');",
    ]
    modules["server.js"] = "\n".join(server) + "\n"
    for name, text in modules.items():
        (folder / name).write_text(text, encoding="utf-8")
    link = folder / "node_modules"
    if not link.exists():
        link.symlink_to(express_dir / "node_modules")
    return sum(text.count("\n") for text in modules.values())


def _module(number: int) -> str:
    names = [f"task{number * FUNCTIONS_PER_MODULE + index}" for index in range(FUNCTIONS_PER_MODULE)]
    parts = ["'use strict';\nconst express = require('express');\nconst router = express.Router();\n"]
    for k, name in enumerate(names, start=number * FUNCTIONS_PER_MODULE):
        parts.append(FUNCTION.format(name=name, k=k))
    parts.extend(ROUTE.format(name=name) for name in names)
    parts.append("\nmodule.exports = router;\n")
    return "".join(parts)
