'use strict';
/** Accepts mail over SMTP (RFC 5321), with STARTTLS and any login; a mail counts as one request to the service. */

const tls = require('node:tls');

/** Ports of mail servers. On the second one, TLS comes before the greeting (RFC 8314). */
const SMTP_PORTS = new Set([25, 465, 587, 2525, 1025]);
const SECURE_PORT = 465;
/** Replies to a mail that have a meaning (RFC 5321, 4.2.3); other failures are the general ones. */
const REPLIES = new Set([
  421, 450, 451, 452, 455, 500, 501, 502, 503, 504, 521, 530, 535, 550, 551, 552, 553, 554, 555,
]);
const MAX_MAIL_BYTES = 64 * 1024;

/**
 * @typedef {object} Mail
 * @property {string} from
 * @property {string[]} to
 * @property {string} text bounded
 */

/**
 * @param {import('node:net').Socket} socket
 * @param {object} parts
 * @param {number} parts.port that the client has connected to
 * @param {() => Promise<import('node:tls').SecureContext>} parts.context
 * @param {(mail: Mail, say: (reply: string) => void) => void} parts.onMail says the reply to the mail, or nothing
 */
function serveSmtp(socket, { port, context, onMail }) {
  const secured = (beforeTls = () => {}) =>
    context().then((secureContext) => {
      beforeTls();
      const secure = new tls.TLSSocket(socket, { isServer: true, secureContext });
      secure.on('error', () => {});
      return secure;
    });
  const refuse = () => socket.destroy();
  if (port === SECURE_PORT) {
    secured().then((secure) => new SmtpSession(secure, onMail, null).greet(), refuse);
    return;
  }
  const startTls = (/** @type {() => void} */ beforeTls) =>
    secured(beforeTls).then((secure) => new SmtpSession(secure, onMail, null), refuse);
  new SmtpSession(socket, onMail, startTls).greet();
}

class SmtpSession {
  /**
   * @param {import('node:net').Socket} socket
   * @param {(mail: Mail, say: (reply: string) => void) => void} onMail
   * @param {((beforeTls: () => void) => void) | null} startTls null: TLS is on already
   */
  constructor(socket, onMail, startTls) {
    this.socket = socket;
    this.onMail = onMail;
    this.startTls = startTls;
    this.rest = '';
    /** What the next line is. @type {'commands' | 'mail' | 'name' | 'password'} */
    this.state = 'commands';
    this.from = '';
    /** @type {string[]} */
    this.to = [];
    this.text = '';
    this.listener = (/** @type {Buffer} */ bytes) => this.receive(bytes.toString('latin1'));
    socket.on('data', this.listener);
  }

  greet() {
    this.say('220 ready');
  }

  /** @param {string} line */
  say(line) {
    if (this.socket.writable) this.socket.write(line + '\r\n');
  }

  /** @param {string} text */
  receive(text) {
    this.rest += text;
    for (let end = this.rest.indexOf('\n'); end >= 0; end = this.rest.indexOf('\n')) {
      const line = this.rest.slice(0, end).replace(/\r$/, '');
      this.rest = this.rest.slice(end + 1);
      if (this.state === 'mail') this.takeText(line);
      else if (this.state === 'name') this.ask('password');
      else if (this.state === 'password') this.takePassword();
      else this.obey(line);
    }
    if (this.rest.length > MAX_MAIL_BYTES) this.rest = '';
  }

  /** @param {string} line */
  takeText(line) {
    if (line !== '.') {
      if (this.text.length < MAX_MAIL_BYTES) this.text += (line.startsWith('..') ? line.slice(1) : line) + '\n';
      return;
    }
    this.state = 'commands';
    const mail = { from: this.from, to: this.to, text: this.text };
    this.reset();
    this.onMail(mail, (reply) => this.say(reply));
  }

  takePassword() {
    this.state = 'commands';
    this.say('235 accepted');
  }

  reset() {
    [this.from, this.to, this.text] = ['', [], ''];
  }

  /** @param {string} line */
  obey(line) {
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    switch (line.slice(0, 4).toUpperCase()) {
      case 'EHLO':
        this.say(
          `250-mock\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n${this.startTls ? '250-STARTTLS\r\n' : ''}250 AUTH PLAIN LOGIN`,
        );
        break;
      case 'MAIL':
        this.reset();
        this.from = address;
        this.say('250 ok');
        break;
      case 'RCPT':
        this.to.push(address);
        this.say('250 ok');
        break;
      case 'DATA':
        this.state = 'mail';
        this.say('354 end with a point');
        break;
      case 'AUTH':
        this.login(line);
        break;
      case 'STAR':
        this.beginTls();
        break;
      case 'QUIT':
        this.say('221 bye');
        this.socket.end();
        break;
      case 'RSET':
        this.reset();
        this.say('250 ok');
        break;
      default:
        this.say(/^(?:HELO|NOOP|VRFY)/i.test(line) ? '250 ok' : '502 not implemented');
    }
  }

  /** @param {string} line `AUTH LOGIN`, `AUTH LOGIN name`, `AUTH PLAIN` or `AUTH PLAIN credentials` */
  login(line) {
    const [, kind = '', given] = line.split(' ');
    const isLogin = kind.toUpperCase() === 'LOGIN';
    if (given === undefined && isLogin) this.ask('name');
    else if (given === undefined || isLogin) this.ask('password');
    else this.say('235 accepted');
  }

  /** @param {'name' | 'password'} what */
  ask(what) {
    this.state = what;
    this.say(what === 'name' ? '334 VXNlcm5hbWU6' : '334 UGFzc3dvcmQ6');
  }

  beginTls() {
    if (this.startTls === null) {
      this.say('503 on already');
      return;
    }
    // The certificate comes first: what the client sends after the reply is read by TLS alone.
    this.startTls(() => {
      this.socket.off('data', this.listener);
      this.say('220 go on');
    });
  }
}

/** @param {number} status as planned @returns {string} what is said of a mail */
function replyToMail(status) {
  if (status < 400) return '250 accepted';
  const code = REPLIES.has(status) ? status : status < 500 ? 450 : 554;
  return `${code} ${code < 500 ? 'try again later' : 'refused'}`;
}

module.exports = { SMTP_PORTS, replyToMail, serveSmtp };
