'use strict';

const express = require('express');
const Application = require('../models/application');
const Job = require('../models/job');
const Recruiter = require('../models/recruiter');
const { objectId, refuse, wrap } = require('./wrap');

const router = express.Router();
router.param('id', objectId);

const outbox = [];

/** Tells the recruiter of the job by telephone. */
async function notify(job, application) {
  const recruiter = await Recruiter.findById(job.recruiter);
  outbox.push({ phone: recruiter.phone, text: `${application.name} applies for ${job.title}` });
}

router.post('/', wrap(async (req, res) => {
  const { jobId, name, email, referee } = req.body;
  if (typeof jobId !== 'string') throw refuse(400, 'jobId is needed');
  const job = await Job.findById(jobId);
  if (!job || job.status !== 'open') throw refuse(404, 'no such job');
  const application = await Application.create({ job: job._id, name, email, referee });
  notify(job, application);
  res.status(201).json(toJson(application));
}));

router.get('/:id', wrap(async (req, res) => {
  const application = await Application.findById(req.params.id);
  if (!application) throw refuse(404, 'no such application');
  res.json(toJson(application));
}));

router.get('/:id/summary', wrap(async (req, res) => {
  const application = await Application.findById(req.params.id).populate('job');
  if (!application) throw refuse(404, 'no such application');
  res.json({ name: application.name, job: application.job.title, referee: application.referee.name.trim() });
}));

router.post('/:id/hire', wrap(async (req, res) => {
  const application = await Application.findById(req.params.id);
  if (!application) throw refuse(404, 'no such application');
  if (application.state === 'hired') throw refuse(409, 'hired already');
  application.state = 'hired';
  await application.save();
  const job = await Job.findById(application.job);
  const hired = await Application.countDocuments({ job: application.job, state: 'hired' });
  if (hired >= job.positions) await Job.updateOne({ _id: job._id }, { status: 'filled' });
  res.json({ ...toJson(application), positionsLeft: job.positions - hired });
}));

function toJson(application) {
  return { id: application.id, jobId: String(application.job._id ?? application.job), name: application.name, state: application.state };
}

module.exports = router;
