'use strict';

const { Schema, model } = require('mongoose');

const recruiterSchema = new Schema({
  login: { type: String, required: true, unique: true, maxlength: 40 },
  pin: { type: String, required: true },
  company: { type: String, required: true },
  phone: String,
});

module.exports = model('Recruiter', recruiterSchema);
