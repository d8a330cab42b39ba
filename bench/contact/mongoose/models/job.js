'use strict';

const { Schema, model } = require('mongoose');

const jobSchema = new Schema({
  title: { type: String, required: true, maxlength: 80 },
  city: String,
  salary: { type: Number, min: 0 },
  status: { type: String, enum: ['draft', 'open', 'filled'], default: 'draft' },
  recruiter: { type: Schema.Types.ObjectId, ref: 'Recruiter' },
  positions: { type: Number, min: 1, max: 50, default: 1 },
  closesOn: Date,
});

module.exports = model('Job', jobSchema);
