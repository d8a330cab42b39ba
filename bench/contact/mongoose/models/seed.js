'use strict';

const Application = require('./application');
const Job = require('./job');
const Recruiter = require('./recruiter');

exports.seed = async function seed() {
  await Recruiter.init();
  if (await Job.countDocuments()) return;
  const recruiter = await Recruiter.create({ login: 'vera', pin: '4711', company: 'Lumen', phone: '040 1234' });
  const [baker, driver] = await Job.create([
    { title: 'Baker', city: 'Kiel', salary: 3100, status: 'open', recruiter: recruiter._id, closesOn: '2030-03-31' },
    { title: 'Driver', city: 'Oslo', status: 'open', positions: 2 },
    { title: 'Cook', status: 'draft' },
  ]);
  await Application.create([
    { job: baker._id, name: 'Ada', email: 'ada@example.com', referee: { name: 'Bo', relation: 'boss' } },
    { job: driver._id, name: 'Noor', email: 'noor@example.com' },
  ]);
};
