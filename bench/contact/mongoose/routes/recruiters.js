'use strict';

const express = require('express');
const Recruiter = require('../models/recruiter');
const { refuse, wrap } = require('./wrap');

const router = express.Router();

router.post('/', wrap(async (req, res) => {
  const { login, pin, company, phone } = req.body;
  const recruiter = await Recruiter.create({ login, pin, company, phone });
  res.status(201).json({ id: recruiter.id, login: recruiter.login, company: recruiter.company });
}));

router.post('/login', wrap(async (req, res) => {
  const { login, pin } = req.body;
  if (!login || !pin) throw refuse(400, 'login and pin are needed');
  const recruiter = await Recruiter.findOne({ login, pin });
  if (!recruiter) throw refuse(401, 'wrong login or pin');
  res.json({ id: recruiter.id, company: recruiter.company });
}));

/** Whether a login is free. */
router.get('/logins/:login', wrap(async (req, res) => {
  const isTaken = Recruiter.exists({ login: req.params.login });
  res.json({ login: req.params.login, isTaken: isTaken && (await isTaken)._id !== undefined });
}));

module.exports = router;
