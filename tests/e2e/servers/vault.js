const crypto = require('node:crypto');
const http = require('node:http');

const responses = { 200: { description: 'open' }, 401: { description: 'no token' } };
const document = {
  openapi: '3.0.0',
  info: { title: 'vault', version: '1' },
  paths: { '/vault': { get: { responses } } },
};
const decoded = (part) => JSON.parse(Buffer.from(part, 'base64url'));
let keys;

/** The claims of a token that is signed with a key of the key set, which is asked for once. */
async function claimsOf(request) {
  const [head, body, signature] = (request.headers.authorization ?? '').replace('Bearer ', '').split('.');
  const { alg, kid } = decoded(head);
  if (alg !== 'ES256') throw new Error('another algorithm');
  if (!keys?.length) keys = (await (await fetch('https://login.example/oauth/jwks.json')).json()).keys;
  const key = crypto.createPublicKey({ key: keys.find((one) => one.kid === kid), format: 'jwk' });
  const signed = Buffer.from(`${head}.${body}`);
  const bytes = Buffer.from(signature, 'base64url');
  if (!crypto.verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes)) throw new Error('forged');
  return decoded(body);
}

const server = http.createServer(async (request, response) => {
  if (request.url === '/openapi.json') return response.end(JSON.stringify(document));
  try {
    const { iss } = await claimsOf(request);
    if (iss !== 'https://login.example/') throw new Error('another issuer');
    response.writeHead(200).end('{"opened":true}');
  } catch {
    response.writeHead(401).end('{"error":"no token"}');
  }
});
server.listen(process.env.PORT, '127.0.0.1');
