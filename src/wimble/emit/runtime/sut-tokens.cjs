'use strict';
/*
 * Tokens (JWT) that tests sign with a secret of the system under test (SUT), which is read where the SUT reads it; or
 * with a key of their own, whose public half a mocked service answers.
 */
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');

/**
 * A token with these claims, signed with a secret that is in an environment variable, or at a place in a file below
 * `folder`; or with a private key.
 */
function signedToken(key, claims, folder) {
  const { algorithm, variable, place } = key;
  const text = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
  if (key.private) {
    const signed = `${text({ alg: algorithm, typ: 'JWT', kid: key.kid })}.${text(claims)}`;
    const signer = { key: crypto.createPrivateKey({ key: key.private, format: 'jwk' }), dsaEncoding: 'ieee-p1363' };
    return `${signed}.${crypto.sign('sha256', Buffer.from(signed), signer).toString('base64url')}`;
  }
  const secret = (variable && process.env[variable]) || (place && textAt(folder, place));
  if (!secret) throw new Error(`set ${variable || 'the environment variable of the secret'}: the system under test signs its tokens with it`);
  const signed = `${text({ alg: algorithm, typ: 'JWT' })}.${text(claims)}`;
  return `${signed}.${crypto.createHmac(`sha${algorithm.slice(2)}`, secret).update(signed).digest('base64url')}`;
}

/** The text that stands in a file of the system under test after `before`; '' if the file has changed. */
function textAt(folder, { file, before, index }) {
  try {
    const lines = fs.readFileSync(path.join(folder, file), 'utf8').split(/\r?\n/);
    const line = lines.filter((one) => one.includes(before))[index];
    const rest = line.slice(line.indexOf(before) + before.length).trim();
    return /^["'`]/.test(rest) ? rest.slice(1, rest.indexOf(rest[0], 1)) : rest;
  } catch {
    return '';
  }
}

module.exports = { signedToken };
