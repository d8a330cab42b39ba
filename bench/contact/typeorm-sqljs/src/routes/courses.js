'use strict';

const { Router } = require('express');
const { dataSource } = require('../data-source');
const { Booking, Course, Trainer } = require('../entities');
const { key, Refusal } = require('../refusal');

const courses = Router();
const repository = dataSource.getRepository(Course);
const freeOf = new Map();

async function countBooked(id) {
  return dataSource.getRepository(Booking).countBy({ course: { id }, state: 'booked' });
}

courses.get('/', async (req, res) => {
  const all = await repository.find({ order: { id: 'ASC' } });
  const result = [];
  for (const course of all) {
    const booked = await countBooked(course.id);
    result.push({ id: course.id, title: course.title, startsAt: course.startsAt, free: course.places - booked });
  }
  res.json(result);
});

courses.post('/', async (req, res) => {
  const { title, startsAt, places, trainerId } = req.body ?? {};
  if (typeof title !== 'string' || title === '' || title.length > 60) throw new Refusal(400, 'title is wrong');
  if (Number.isNaN(new Date(startsAt).getTime())) throw new Refusal(400, 'startsAt is no time');
  const trainer = trainerId === undefined ? null : await dataSource.getRepository(Trainer).findOneBy({ id: key(trainerId) });
  const saved = await repository.save({ title, startsAt, places, trainer });
  res.status(201).json({ id: saved.id, title, startsAt, free: places });
});

courses.get('/:id/trainer', async (req, res) => {
  const course = await repository.findOne({ where: { id: key(req.params.id) }, relations: { trainer: true } });
  if (!course) throw new Refusal(404, 'no such course');
  const { name, nickname } = course.trainer;
  res.json({ name, calledBy: nickname ?? name.split(' ')[0] });
});

courses.get('/:id/free', async (req, res) => {
  const id = key(req.params.id);
  const course = await repository.findOneBy({ id });
  if (!course) throw new Refusal(404, 'no such course');
  if (!freeOf.has(id)) freeOf.set(id, course.places - countBooked(id));
  res.json({ courseId: id, free: freeOf.get(id) });
});

courses.delete('/:id', async (req, res) => {
  const course = await repository.findOneBy({ id: key(req.params.id) });
  if (Date.parse(course.startsAt) < Date.now()) throw new Refusal(409, 'the course is over');
  if (!course) throw new Refusal(404, 'no such course');
  await repository.delete({ id: course.id });
  res.status(200).json({ deleted: course.id });
});

module.exports = { courses };
