const express = require('express');
const multer = require('multer');
const { celebrate, Joi, Segments } = require('celebrate');
const { nextId, pitches } = require('../store');

const router = express.Router();
const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 100_000, files: 3 } });

const REGIONS = [
  { name: 'dunes', south: 54.5, north: 54.8 },
  { name: 'forest', south: 54.2, north: 54.5 },
];
const RATES = { EUR: { factor: 1 }, DKK: { factor: 7.46 }, SEK: { factor: 11.3 } };
const FOLDERS = { jpg: 'photos', jpeg: 'photos', png: 'drawings' };

router.get('/', (req, res) => {
  let found = [...pitches.values()];
  if (req.query.power) found = found.filter((one) => one.power === (req.query.power === 'yes'));
  if (req.query.near) {
    const latitude = Number(req.query.near.lat);
    if (Number.isNaN(latitude)) return res.status(400).json({ error: 'near[lat] has to be a number' });
    const region = REGIONS.find((one) => latitude >= one.south && latitude < one.north);
    found = found.filter((one) => (region.name === 'dunes' ? one.row < 'C' : one.row >= 'C'));
  }
  if (req.query.sort) {
    const [field, direction] = String(req.query.sort).split(':');
    const sign = direction.toLowerCase() === 'desc' ? -1 : 1;
    found.sort((one, other) => sign * (one[field] - other[field]));
  }
  res.json(found);
});

router.get('/:id', (req, res) => {
  const pitch = pitches.get(req.params.id);
  if (!pitch) return res.status(404).json({ error: 'no such pitch' });
  const currency = req.get('X-Currency');
  if (!currency) return res.json(pitch);
  const rate = RATES[currency.toUpperCase()];
  res.json({ ...pitch, price: Math.round(pitch.price * rate.factor), currency });
});

router.put(
  '/:id',
  celebrate({
    [Segments.PARAMS]: Joi.object({ id: Joi.string().pattern(/^[A-D]\d{2}$/).required() }),
    [Segments.BODY]: Joi.object({
      squareMetres: Joi.number().integer().min(20).max(400).required(),
      price: Joi.number().precision(2).positive().required(),
      power: Joi.boolean().default(false),
      jetty: Joi.object({ metres: Joi.number().min(1).max(40).required(), depth: Joi.number().min(0) }),
      closed: Joi.array().items(Joi.object({ from: Joi.date().iso().required(), until: Joi.date().iso() })).max(10),
    }),
  }),
  (req, res) => {
    const pitch = { id: req.params.id, row: req.params.id[0], ...req.body };
    const closedDays = (req.body.closed || []).map((one) => (one.until.getTime() - one.from.getTime()) / 86_400_000);
    pitches.set(pitch.id, pitch);
    res.json({ ...pitch, closedDays });
  },
);

router.post('/:id/photos', upload.single('photo'), (req, res) => {
  if (!pitches.has(req.params.id)) return res.status(404).json({ error: 'no such pitch' });
  if (!req.file) return res.status(400).json({ error: 'photo is missing' });
  const extension = req.file.originalname.split('.').at(-1);
  const folder = FOLDERS[extension].toUpperCase();
  res.status(201).json({ id: nextId('photo'), folder, bytes: req.file.size, caption: req.body.caption });
});

router.use('/:pitchId/reviews', require('./reviews'));

module.exports = router;
