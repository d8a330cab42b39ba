// Answers whatever arrives with the same bytes: no service can cost less.
const net = require('node:net');

const BODY = JSON.stringify({ price: 7, currency: 'EUR', tags: ['new'] });
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
);

net
  .createServer({ noDelay: true }, (socket) => {
    socket.on('data', () => socket.write(ANSWER));
    socket.on('error', () => {});
  })
  .listen(Number(process.env.DIRECT_PORT), '127.0.0.1');
