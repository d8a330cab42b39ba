const express = require('express');
const { nextId, pitches, reviews } = require('../store');

const router = express.Router({ mergeParams: true });

router.use((req, res, next) => {
  if (!pitches.has(req.params.pitchId)) return res.status(404).json({ error: 'no such pitch' });
  next();
});

router.get('/', (req, res) => {
  res.json([...reviews.values()].filter((one) => one.pitchId === req.params.pitchId));
});

router.post('/', (req, res) => {
  const { stars, text } = req.body;
  if (!Number.isInteger(stars) || stars < 1 || stars > 5) return res.status(400).json({ error: 'stars: 1 to 5' });
  const review = { id: nextId('review'), pitchId: req.params.pitchId, stars, text: text || '' };
  reviews.set(review.id, review);
  res.status(201).json(review);
});

router.patch('/:reviewId', (req, res) => {
  const review = reviews.get(Number(req.params.reviewId));
  if (!review || review.pitchId !== req.params.pitchId) return res.status(404).json({ error: 'no such review' });
  if (req.body.hidden === true) review.hidden = { reason: req.body.moderation.reason };
  if (typeof req.body.text === 'string') review.text = req.body.text;
  res.json(review);
});

module.exports = router;
