'use strict';

const express = require('express');
const Application = require('../models/application');
const Job = require('../models/job');
const Recruiter = require('../models/recruiter');
const { objectId, refuse, wrap } = require('./wrap');

const router = express.Router();
router.param('id', objectId);

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

router.get('/', wrap(async (req, res) => {
  const { city, title } = req.query;
  const filter = { status: 'open' };
  if (city) filter.city = city;
  if (title) filter.title = { $regex: title, $options: 'i' };
  const jobs = await Job.find(filter).sort({ _id: 1 }).limit(50);
  const result = [];
  for (const job of jobs) {
    const applications = await Application.countDocuments({ job: job._id });
    result.push({ ...toJson(job), applications });
  }
  res.json(result);
}));

router.post('/', wrap(async (req, res) => {
  const { title, city, salary, positions, closesOn, recruiterId } = req.body;
  if (recruiterId !== undefined && !/^[0-9a-f]{24}$/.test(recruiterId)) throw refuse(400, 'malformed recruiterId');
  const job = await Job.create({ title, city, salary, positions, closesOn, recruiter: recruiterId });
  res.status(201).json(toJson(job));
}));

router.get('/:id', wrap(async (req, res) => {
  const job = await Job.findById(req.params.id);
  if (!job) throw refuse(404, 'no such job');
  res.json(toJson(job));
}));

/** What stands on the poster. */
router.get('/:id/poster', wrap(async (req, res) => {
  const job = await Job.findById(req.params.id).populate('recruiter');
  if (!job) throw refuse(404, 'no such job');
  const { company, phone } = job.recruiter;
  const closes = job.closesOn ? `${job.closesOn.getUTCDate()} ${MONTHS[job.closesOn.getUTCMonth() + 1].toUpperCase()}` : 'any time';
  res.json({ headline: `${company} is looking for: ${job.title}`, closes, phone: phone || 'by mail' });
}));

router.post('/:id/publish', wrap(async (req, res) => {
  const job = await Job.findById(req.params.id);
  if (job.status !== 'draft') throw refuse(409, 'published already');
  if (!job) throw refuse(404, 'no such job');
  job.status = 'open';
  await job.save();
  res.json(toJson(job));
}));

router.delete('/:id', wrap(async (req, res) => {
  const done = await Job.deleteOne({ _id: req.params.id });
  if (done.deletedCount === 0) throw refuse(404, 'no such job');
  res.json({ deleted: 1 });
}));

function toJson(job) {
  return { id: job.id, title: job.title, city: job.city, salary: job.salary, status: job.status, positions: job.positions };
}

module.exports = router;
