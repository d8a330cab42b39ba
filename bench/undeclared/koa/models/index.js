const mongoose = require('mongoose');

const { Schema } = mongoose;

const Herd = new Schema({ cows: { type: Number, min: 1, max: 500, required: true }, breed: String }, { _id: false });

const Farm = mongoose.model(
  'Farm',
  new Schema({
    name: { type: String, required: true, trim: true, minlength: 2, maxlength: 60 },
    kind: { type: String, enum: ['vegetables', 'dairy', 'bakery'], required: true },
    founded: { type: Number, min: 1900, max: 2030 },
    contact: { email: { type: String, match: /^\S+@\S+\.\S+$/ }, phone: String },
    herd: Herd,
  }),
);

const Complaint = mongoose.model(
  'Complaint',
  new Schema({
    order: { type: String, required: true, match: /^O-\d{4}$/ },
    severity: { type: Number, required: true, min: 1, max: 5 },
    text: { type: String, maxlength: 500 },
    happenedAt: { type: Date, required: true },
    photos: [{ url: { type: String, required: true }, width: { type: Number, min: 1 } }],
  }),
);

const Member = mongoose.model(
  'Member',
  new Schema({
    name: { type: String, required: true },
    pin: { type: String, required: true },
    role: { type: String, enum: ['member', 'board'], default: 'member' },
    household: { type: new Schema({ size: Number, street: String }, { _id: false }) },
  }),
);

module.exports = { Complaint, Farm, Member };
