// Starts programs that are not Node, and one of Node with an environment of its own; prints what each got.
const { exec, execFile, spawnSync } = require('node:child_process');

const URLLIB = 'import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())';
const CHILD = "fetch('http://prices.example/v1/child').then((r) => r.text()).then(console.log)";
const BARE = { PATH: process.env.PATH };

const said = (name, text) => console.log(JSON.stringify([name, text.trim()]));
const python = process.env.PYTHON;

const sync = spawnSync(python, ['-c', URLLIB, 'http://prices.example/v1/python']);
said('spawnSync', String(sync.stdout));
execFile(process.execPath, ['-e', CHILD], { env: BARE }, (_, text) => {
  said('node', text);
  exec(`"${python}" -c "${URLLIB}" https://prices.example/v1/shell`, { env: BARE }, (__, over) => {
    said('exec', over);
    said('own', String(process.env.http_proxy));
  });
});
