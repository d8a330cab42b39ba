'use strict';
/*
 * Loaded into the SUT by NODE_OPTIONS=--require where it chooses another port at each start: writes the port of its
 * first listening server to the file WIMBLE_PORT_FILE, for sut.cjs or sut.py beside this file. Changes nothing else.
 */
const fs = require('fs');
const net = require('net');

const portFile = process.env.WIMBLE_PORT_FILE;
const { listen } = net.Server.prototype;

if (portFile) {
  net.Server.prototype.listen = function (...args) {
    this.once('listening', () => {
      const address = this.address();
      if (address === null || typeof address === 'string') return; // a pipe
      try {
        fs.writeFileSync(portFile, `${address.port}\n`, { flag: 'wx' });
      } catch {
        // another server of the SUT was first
      }
    });
    return listen.apply(this, args);
  };
}
