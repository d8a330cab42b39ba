const express = require('express');
const { celebrate, Joi, Segments } = require('celebrate');

const router = express.Router();

const WEEK_MS = 7 * 86_400_000;

router.get(
  '/occupancy',
  celebrate({
    [Segments.QUERY]: Joi.object({
      from: Joi.date().iso().required(),
      to: Joi.date().iso().greater('2020-01-01').required(),
      unit: Joi.string().valid('week', 'total').default('total'),
    }),
    [Segments.HEADERS]: Joi.object({ 'x-desk': Joi.string().valid('north', 'south').required() }).unknown(),
  }),
  (req, res) => {
    const { from, to, unit } = req.query;
    if (to - from > 200 * WEEK_MS) return res.status(400).json({ error: 'at most 200 weeks' });
    if (unit === 'total') return res.json({ days: Math.round((to - from) / 86_400_000) });
    const weeks = [];
    for (let start = from.getTime(); start < to.getTime(); start += WEEK_MS) weeks.push({ start, taken: 0 });
    res.json({ weeks, last: weeks[weeks.length - 1].start });
  },
);

module.exports = router;
