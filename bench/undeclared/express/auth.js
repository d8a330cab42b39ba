const { createHash, randomBytes } = require('node:crypto');
const jwt = require('jsonwebtoken');

const SECRET = process.env.JWT_SECRET || 'campsite-development-only';

function hash(password, salt) {
  return createHash('sha256').update(`${salt}:${password}`).digest('hex');
}

function newPassword(password) {
  const salt = randomBytes(8).toString('hex');
  return { salt, hash: hash(password, salt) };
}

function isPassword(password, stored) {
  return hash(password, stored.salt) === stored.hash;
}

function signToken(guest) {
  return jwt.sign({ email: guest.email, role: guest.role }, SECRET, { expiresIn: '8h' });
}

function requireUser(req, res, next) {
  const [scheme, token] = (req.headers.authorization || '').split(' ');
  if (scheme !== 'Bearer' || !token) return res.status(401).json({ error: 'log in first' });
  try {
    req.user = jwt.verify(token, SECRET);
  } catch {
    return res.status(401).json({ error: 'this token is not valid' });
  }
  next();
}

function requireRole(role) {
  return (req, res, next) => {
    if (req.user.role !== role) return res.status(403).json({ error: `only for a ${role}` });
    next();
  };
}

module.exports = { isPassword, newPassword, requireRole, requireUser, signToken };
