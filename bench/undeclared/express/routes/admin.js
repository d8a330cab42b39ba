const express = require('express');
const { bookings, guests } = require('../store');

const router = express.Router();

router.get('/guests', (req, res) => res.json([...guests.keys()]));

router.post('/bookings/move', (req, res) => {
  const { moves } = req.body;
  if (!Array.isArray(moves)) return res.status(400).json({ error: 'moves is a list' });
  for (const { booking, to } of moves) bookings.get(booking).pitch = to;
  res.json({ moved: moves.length });
});

module.exports = router;
