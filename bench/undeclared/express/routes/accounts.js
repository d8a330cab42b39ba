const express = require('express');
const { body, query, validationResult } = require('express-validator');
const { isPassword, newPassword, requireUser, signToken } = require('../auth');
const { bookings, guests, pitches } = require('../store');

const router = express.Router();

function check(req, res, next) {
  const result = validationResult(req);
  if (!result.isEmpty()) return res.status(400).json({ errors: result.array() });
  next();
}

router.post(
  '/signup',
  body('email').isEmail().normalizeEmail(),
  body('password').isString().isLength({ min: 8, max: 72 }),
  body('birthday').optional().isISO8601().toDate(),
  body('address.postcode').optional().isPostalCode('DE'),
  check,
  (req, res) => {
    const { email, password, birthday } = req.body;
    if (guests.has(email)) return res.status(409).json({ error: 'there is a guest with this address' });
    const guest = { email, role: 'guest', password: newPassword(password) };
    if (birthday && birthday.getUTCFullYear() > new Date().getUTCFullYear() - 16) {
      guest.parent = req.body.parent.email;
    }
    guests.set(email, guest);
    res.status(201).json({ email });
  },
);

router.post('/login', (req, res) => {
  const { email, password } = req.body;
  const guest = guests.get(email);
  if (!guest || !isPassword(password, guest.password)) return res.status(401).json({ error: 'wrong address or password' });
  res.json({ token: signToken(guest) });
});

router.get('/me', requireUser, (req, res) => res.json({ email: req.user.email, role: req.user.role }));

router.get('/me/invoice', requireUser, (req, res) => {
  const own = [...bookings.values()].filter((one) => one.email === req.user.email);
  const total = own.reduce((sum, one) => sum + one.price, 0);
  res.json({ total, since: own[0].arrival });
});

router.get(
  '/search',
  query('q').isString().isLength({ min: 3, max: 40 }),
  query('rows').optional().isArray({ min: 2, max: 4 }),
  query('rows.*').isIn(['A', 'B', 'C', 'D', 'E']),
  query('page').optional().isInt({ min: 1, max: 50 }).toInt(),
  check,
  (req, res) => {
    const { rows } = req.query;
    const hits = [...pitches.values()].filter((one) => one.id.startsWith(req.query.q.slice(0, 1).toUpperCase()));
    if (!rows) return res.json({ hits });
    const cheapest = rows.map((row) => [...pitches.values()].filter((one) => one.row === row)[0].price);
    res.json({ hits, cheapest: Math.min(...cheapest) });
  },
);

module.exports = router;
