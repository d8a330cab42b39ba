"""Behind a signature that a package checks, and behind an item of DynamoDB, faults are found."""

from __future__ import annotations

import json

import pytest

from database_servers import ROOT, installed
from wimble.engine.events import FindingFound

pytestmark = pytest.mark.e2e

APP = """
const http = require('node:http');
const Stripe = require('stripe');
const { DynamoDBClient, GetItemCommand } = require('@aws-sdk/client-dynamodb');
const stripe = new Stripe('sk_test_1');
const tables = new DynamoDBClient({ region: 'eu-west-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });

async function hook(request, text) {
  let event;
  try {
    event = stripe.webhooks.constructEvent(text, request.headers['stripe-signature'], 'whsec_of_tests');
  } catch {
    return [400, { error: 'signature' }];
  }
  if (event.type === 'charge.refunded') throw new Error('refund fault');
  return [200, {}];
}

async function container(id) {
  const { Item } = await tables.send(new GetItemCommand({ TableName: 'containers', Key: { id: { S: id } } }));
  if (Item === undefined) return [404, {}];
  if (Item.sealed?.BOOL === true) throw new Error('seal fault');
  return [200, {}];
}

http.createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  try {
    const [status, body] = request.url === '/hooks' ? await hook(request, text) : await container(request.url.slice(12));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  } catch (error) {
    console.error(error);
    response.writeHead(error.message.endsWith('fault') ? 500 : 502).end();
  }
}).listen(process.env.PORT);
"""
PATHS = {
    "/hooks": {
        "post": {
            "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
            "responses": {"200": {"description": "ok"}},
        }
    },
    "/containers/{id}": {
        "get": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
            "responses": {"200": {"description": "ok"}},
        }
    },
}


def test_faults_behind_a_signed_event_and_an_item_are_found(project, monkeypatch):
    modules = installed(ROOT / "tests" / "e2e" / "clients")
    project.add("app.cjs", APP)
    (project.folder / "node_modules").symlink_to(modules)
    project.add(
        "openapi.json", json.dumps({"openapi": "3.0.3", "info": {"title": "a", "version": "1"}, "paths": PATHS})
    )
    with project.search(monkeypatch, {}, ("node", "app.cjs"), 500) as events:
        found = [event.finding.title for event in events if isinstance(event, FindingFound)]
    assert any("refund fault" in title for title in found), found
    assert any("seal fault" in title for title in found), found
