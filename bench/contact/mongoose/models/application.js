'use strict';

const { Schema, model } = require('mongoose');

const applicationSchema = new Schema({
  job: { type: Schema.Types.ObjectId, ref: 'Job', required: true },
  name: { type: String, required: true, maxlength: 80 },
  email: { type: String, required: true, match: /^[^@\s]+@[^@\s]+$/ },
  state: { type: String, enum: ['new', 'invited', 'hired', 'refused'], default: 'new' },
  referee: { name: String, relation: String },
});

module.exports = model('Application', applicationSchema);
