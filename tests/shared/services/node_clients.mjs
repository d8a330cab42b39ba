// Calls services with Node's own clients, and prints what each of them saw, a line of JSON for each.
import { createSocket } from 'node:dgram';
import dns, { lookup } from 'node:dns';
import dnsPromises from 'node:dns/promises';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';

const show = (name, value) => process.stdout.write(JSON.stringify([name, value]) + '\n');

const get = (client, url, options = {}) =>
  new Promise((resolve) => {
    const request = client.get(url, options, (response) => {
      const { remoteAddress, remotePort, authorized } = response.socket;
      const isResumed = response.socket.isSessionReused?.();
      let text = '';
      response.on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, text, remoteAddress, remotePort, authorized, isResumed }));
      response.on('error', (error) => resolve(error.code));
    });
    request.on('error', (error) => resolve(error.code));
  });

const overHttp2 = (origin, path) =>
  new Promise((resolve) => {
    const session = http2.connect(origin);
    session.on('error', (error) => resolve(error.code));
    const stream = session.request({ ':path': path });
    let text = '';
    let status = 0;
    stream.on('response', (headers) => (status = headers[':status']));
    stream.on('data', (part) => (text += part));
    stream.on('error', (error) => resolve(error.code));
    stream.on('end', () => {
      session.close();
      resolve({ status, text });
    });
  });

const looked = (name, options) =>
  new Promise((resolve) => lookup(name, options, (error, ...found) => resolve(error ? error.code : found)));

show('http', await get(http, 'http://geo.example/v1/places/berlin?near=1'));
show('https', await get(https, 'https://api.example/v1/charges'));
show('https by address', await get(https, 'https://10.1.2.3:8443/status'));
show('http over IPv6', await get(http, 'http://[2001:db8::7]/status'));
show('wrong name', await get(https, 'https://api.example/', { servername: 'other.example', checkServerIdentity: (_, certificate) => tls.checkServerIdentity('api.example', certificate) }));
show('another certificate', await get(https, 'https://strict.example/', { checkServerIdentity: () => Object.assign(new Error('pinned'), { code: 'PINNED' }) }));
show('https with authorities of its own', await get(https, 'https://pinned.example/', { ca: [tls.rootCertificates[0]] }));
const kept = new https.Agent({ keepAlive: true, maxSockets: 1 });
await get(https, 'https://kept.example/1', { agent: kept });
show('kept', await get(https, 'https://kept.example/2', { agent: kept }));
const closing = new https.Agent();
await get(https, 'https://resumed.example/1', { agent: closing });
show('resumed', (await get(https, 'https://resumed.example/2', { agent: closing })).isResumed);
// Without a network, what is let through is an error.
show('allowed', [await get(http, 'http://192.0.2.9/'), await get(http, 'http://192.0.2.8:8080/'), (await get(http, 'http://192.0.2.8/')).status]);
show('fetch', await fetch('https://api.example/v1/orders', { method: 'POST', body: '{"id":7}', headers: { 'content-type': 'application/json' } }).then(async (answer) => [answer.status, await answer.text()]));
show('http2 over tls', await overHttp2('https://grpc.example', '/a'));
show('http2 plain', await overHttp2('http://grpc.example:50051', '/b'));
show('lookup', [await looked('geo.example', {}), await looked('geo.example', { all: true }), await looked('geo.example', 6)]);
show('same address', (await dnsPromises.lookup('Geo.example.')).address === (await looked('geo.example', {}))[0]);
show('resolve', [await dnsPromises.resolve4('geo.example'), await new dns.promises.Resolver().resolve('geo.example', 'AAAA'), await dnsPromises.resolveMx('geo.example').catch((error) => error.code)]);
show('localhost', (await looked('localhost', { family: 4 }))[0]);
const own = http.createServer((_, response) => response.end('own')).listen(0, '127.0.0.1');
await new Promise((resolve) => own.on('listening', resolve));
show('own server', (await get(http, `http://localhost:${own.address().port}/`, { family: 4 })).text);
own.close();
const ownLookup = (_, options, done) => (options.all ? done(null, [{ address: '93.184.216.34', family: 4 }]) : done(null, '93.184.216.34', 4));
show('a look-up of its own', await get(http, 'http://escape.example/', { lookup: ownLookup }));
const closedAfter = (port, host, text) =>
  new Promise((resolve) => {
    const socket = net.connect(port, host, () => socket.write(text));
    socket.on('error', () => {});
    socket.on('close', resolve);
  });
await closedAfter(5672, 'queue.example', 'AMQP\0\0\x09\x01');
await closedAfter(4001, 'scales.example', 'WEIGH dock-3\r\n');
const web = { method: 'POST', headers: { 'content-type': 'application/grpc-web+proto' }, body: '' };
const framed = await fetch('http://web.example/shop.Stock/Get', web).then((answer) => answer.arrayBuffer());
show('gRPC-Web', Buffer.from(framed).toString('latin1'));
show('no HTTP', await new Promise((resolve) => net.connect(5672, 'queue.example').on('error', (error) => resolve(error.code))));
// Without a network, a datagram that leaves the machine is an error.
const send = (host) =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.send('count:1|c', 8125, host, (error) => {
      socket.close();
      resolve(error ? error.code : 'sent');
    });
  });
show('datagrams', [await send('metrics.example'), await send('93.184.216.34')]);
kept.destroy();
