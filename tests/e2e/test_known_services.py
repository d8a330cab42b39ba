"""What is known of services beforehand leads on at once: what the real one answers, and what its document says."""

import json
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

pytestmark = pytest.mark.e2e

SERVER = """
const http = require('node:http');
const responses = { 200: { description: 'ok' } };
const paths = { '/coat': { get: { responses } }, '/plan': { get: { responses } } };
const ask = async (url, headers) => (await fetch(url, { headers })).json();
const HANDLERS = {
  '/openapi.json': () => ({ openapi: '3.0.0', info: { title: 'coats', version: '1' }, paths }),
  '/coat': async () => {
    const { warning, air } = await ask(`${process.env.WEATHER}/now?api_key=k1`, { authorization: 'Bearer k2' });
    if (warning === 'orange' && air.celsius < 0) throw new Error('too cold');
  },
  '/plan': async () => {
    const { tier, seats } = await ask('https://plans.example/v1/plan');
    if (tier === 'platinum-plus' && seats >= 3) throw new Error('too many');
  },
};
http.createServer(async (req, res) => {
  try {
    res.end(JSON.stringify((await HANDLERS[req.url]()) ?? {}));
  } catch (error) {
    res.writeHead(error instanceof TypeError ? 502 : 500).end(error.message);
  }
}).listen(process.env.PORT, '127.0.0.1');
"""
PLANS = {
    "openapi": "3.0.3",
    "info": {"title": "plans", "version": "1"},
    "paths": {
        "/v1/plan": {
            "get": {
                "responses": {
                    "200": {
                        "description": "the plan",
                        "content": {
                            "application/json": {
                                "schema": {
                                    "type": "object",
                                    "required": ["tier", "seats"],
                                    "properties": {
                                        "tier": {"type": "string", "enum": ["free", "platinum-plus"]},
                                        "seats": {"type": "integer", "minimum": 1, "maximum": 5},
                                    },
                                }
                            }
                        },
                    }
                }
            }
        }
    },
}


class Weather(BaseHTTPRequestHandler):
    seen: list[tuple[str, str | None]]

    def do_GET(self):
        self.seen.append((self.path, self.headers["authorization"]))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"warning":"orange","air":{"celsius":-4},"session_token":"s3cr3t"}')

    def log_message(self, *_):
        pass


@pytest.fixture
def weather():
    handler = type("Recorded", (Weather,), {"seen": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"localhost:{server.server_address[1]}", handler.seen
    server.shutdown()
    server.server_close()


def test_harvested_answers_and_documents_of_services_lead_on(tmp_path, weather):
    place, seen = weather
    (tmp_path / "server.js").write_text(SERVER)
    (tmp_path / "plans.json").write_text(json.dumps(PLANS))
    out = tmp_path / "out"
    options = ["--mock", place, "--harvest", place, "--service-schema", "https://plans.example=plans.json"]
    line = [sys.executable, "-m", "wimble", "run", "--seed", "1", "--max-calls", "60", "--format", "none"]
    done = subprocess.run(
        [*line, "--out", str(out), *options, "--", "node", "server.js"],
        cwd=tmp_path,
        env={**os.environ, "WEATHER": f"http://{place}"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert "GET /coat answers 500: Error: too cold" in done.stdout, done.stdout + done.stderr
    assert "GET /plan answers 500: Error: too many" in done.stdout
    assert seen == [("/now", None)]
    (kept,) = (out / "harvest").iterdir()
    text = kept.read_text()
    assert "s3cr3t" not in text
    assert '\\"session_token\\":\\"***\\"' in text
