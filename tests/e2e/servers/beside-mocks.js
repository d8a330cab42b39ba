// Connects to a Unix socket of another process and to one of its own, by plain sockets and HTTP; a loader of TypeScript
// tries one that nobody serves.
const { fork } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');

const folder = process.env.SOCKETS || fs.mkdtempSync(path.join(os.tmpdir(), 'sockets-'));
const serve = (name) => http.createServer((_, response) => response.end(name)).listen(path.join(folder, name));
const get = (name) =>
  new Promise((resolve) => {
    http.get({ socketPath: path.join(folder, name), path: '/info' }, (response) => {
      response.setEncoding('utf8').on('data', (text) => resolve(text));
    });
  });

if (process.env.SOCKETS) serve('docker.sock').on('listening', () => process.send('ready'));
else {
  const other = fork(__filename, { env: { ...process.env, SOCKETS: folder } });
  other.on('message', async () => {
    const own = serve('own.sock');
    await new Promise((resolve) => own.on('listening', resolve));
    const loader = path.join(folder, 'node_modules', 'tsx');
    fs.mkdirSync(loader, { recursive: true });
    fs.writeFileSync(path.join(loader, 'package.json'), '{ "name": "tsx", "version": "4.0.0" }');
    const connects = "require('node:net').connect(__dirname + '/1.pipe').on('error', () => {}).unref();";
    fs.writeFileSync(path.join(loader, 'index.js'), connects);
    require(loader);
    for (const name of ['docker.sock', 'own.sock']) console.log(JSON.stringify([name, await get(name)]));
    own.close();
    other.kill();
    fs.rmSync(folder, { recursive: true });
  });
}
