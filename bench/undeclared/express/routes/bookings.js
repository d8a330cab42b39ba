const express = require('express');
const Joi = require('joi');
const { bookings, nextId, pitches } = require('../store');

const router = express.Router();

const DAY_MS = 86_400_000;
const TARIFFS = { basic: { rate: 1 }, season: { rate: 0.8, monthly: 310 } };
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const Booking = Joi.object({
  pitch: Joi.string().pattern(/^[A-D]\d{2}$/).required(),
  arrival: Joi.date().iso().min('2024-01-01').required(),
  nights: Joi.number().integer().min(1).max(60).required(),
  email: Joi.string().email().required(),
  extras: Joi.array().items(Joi.string().valid('power', 'dog', 'boat', 'sauna')).unique().default([]),
  vehicle: Joi.object({ plate: Joi.string().min(2).max(10).required(), trailer: Joi.boolean() }),
});

router.get('/', (req, res) => {
  const { status } = req.query;
  res.json([...bookings.values()].filter((one) => !status || one.status === status));
});

router.post('/', (req, res) => {
  const { error, value } = Booking.validate(req.body, { abortEarly: false });
  if (error) return res.status(422).json({ errors: error.details.map((one) => one.message) });
  const pitch = pitches.get(value.pitch);
  if (!pitch) return res.status(404).json({ error: 'no such pitch' });
  let price = pitch.price * value.nights;
  if (value.extras.includes('boat')) price += pitch.jetty.metres * 2;
  const booking = { id: nextId('booking'), status: 'requested', price, ...value };
  bookings.set(booking.id, booking);
  res.status(201).json(booking);
});

router.post('/quote', (req, res) => {
  const { stay, guests, tariff = 'basic' } = req.body;
  if (!stay || !Array.isArray(guests)) return res.status(400).json({ error: 'stay and guests are needed' });
  const nights = Math.round((new Date(stay.to) - new Date(stay.from)) / DAY_MS);
  if (!(nights >= 1)) return res.status(400).json({ error: 'stay.to has to be after stay.from' });
  if (!Object.hasOwn(TARIFFS, tariff)) return res.status(400).json({ error: 'no such tariff' });
  let price = nights * 15 * TARIFFS[tariff].rate;
  if (nights > 28) {
    price = TARIFFS[tariff].monthly.toFixed(2);
  }
  if (guests.length > 6) {
    const leader = guests.find((one) => one.leader);
    return res.json({ price, nights, invoiceTo: leader.name });
  }
  res.json({ price, nights });
});

router.get('/calendar/:year/:month?', (req, res) => {
  const year = Number(req.params.year);
  if (!Number.isInteger(year) || year < 2000 || year > 2100) return res.status(400).json({ error: 'no such year' });
  if (!req.params.month) return res.json({ year, months: MONTHS });
  const name = MONTHS[Number(req.params.month) - 1];
  res.json({ year, month: name.toUpperCase(), days: new Date(year, Number(req.params.month), 0).getDate() });
});

router.get('/:id(\\d+)', (req, res) => {
  const booking = bookings.get(Number(req.params.id));
  if (!booking) return res.status(404).json({ error: 'no such booking' });
  res.json(req.query.expand === 'vehicle' ? { ...booking, plate: booking.vehicle.plate } : booking);
});

router.delete('/:id(\\d+)', (req, res) => {
  if (!bookings.delete(Number(req.params.id))) return res.status(404).json({ error: 'no such booking' });
  res.status(204).end();
});

module.exports = router;
