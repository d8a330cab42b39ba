const express = require('express');
const { photos, pitches } = require('../store');

const router = express.Router();

router.get(/^\/photos\/(\d+)-(small|large)\.jpg$/, (req, res) => {
  const photo = photos.get(Number(req.params[0]));
  if (!photo) return res.status(404).json({ error: 'no such photo' });
  res.redirect(photo[req.params[1]].replace('/img', 'https://cdn.example.com'));
});

/** What a visitor has put aside, kept in a cookie. */
router.get('/basket', (req, res) => {
  if (!req.cookies.basket) return res.json({ total: 0 });
  let basket;
  try {
    basket = JSON.parse(req.cookies.basket);
  } catch {
    return res.status(400).json({ error: 'the basket cannot be read' });
  }
  let total = 0;
  for (const { pitch, nights } of basket.items || []) total += pitches.get(pitch).price * nights;
  res.cookie('seen', 'basket').json({ total });
});

/** The payment provider calls with whatever method it likes. */
router.all('/hooks/payment', (req, res) => {
  const { type, data } = req.body || {};
  if (type === 'charge.succeeded') return res.json({ received: true });
  if (type === 'charge.refunded') return res.json({ refunded: data.object.refunds[0].amount });
  res.json({ ignored: true });
});

router.post('/newsletter', async (req, res) => {
  const { address } = req.body;
  if (typeof address !== 'string') return res.status(400).json({ error: 'address is missing' });
  res.status(202).json({ accepted: true });
  await subscribe(address);
});

async function subscribe(address) {
  const [, domain] = address.split('@');
  return { list: domain.endsWith('.de') ? 'german' : 'english' };
}

module.exports = router;
