'use strict';

const { Schema, model } = require('mongoose');

/** Comes from the register of dogs. */
const Dog = model(
  'Dog',
  new Schema({
    chip: { type: String, required: true, unique: true, match: /^[0-9]{15}$/ },
    name: { type: String, required: true },
    weightKg: { type: Number, required: true, min: 1, max: 90 },
    owner: { name: String, phone: String }, // a shelter's dog has none
    vaccinations: [{ against: { type: String, required: true }, until: { type: Date, required: true } }],
  }),
);

/** Is kept by the caretaker. */
const Place = model(
  'Place',
  new Schema({
    number: { type: Number, required: true },
    carriesKg: { type: Number, required: true, min: 1, max: 100 },
    state: { type: String, enum: ['free', 'taken', 'closed'], required: true },
    row: String, // the runs in the garden stand in no row
  }),
);

const Stay = model(
  'Stay',
  new Schema({
    chip: { type: String, required: true },
    place: { type: Number, required: true },
    from: { type: Date, required: true },
    days: { type: Number, required: true, min: 1, max: 60 },
    isOver: { type: Boolean, default: false },
    extras: [{ what: String, cents: { type: Number, min: 0 } }],
  }),
);

module.exports = { Dog, Place, Stay };
