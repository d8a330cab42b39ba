'use strict';

const { Router } = require('express');
const { dataSource } = require('../data-source');
const { Booking, Course, Member } = require('../entities');
const { remind } = require('../reminders');
const { key, Refusal } = require('../refusal');

const bookings = Router();
const repository = dataSource.getRepository(Booking);

bookings.post('/', async (req, res) => {
  const { memberId, courseId } = req.body ?? {};
  const member = await dataSource.getRepository(Member).findOneBy({ id: key(memberId) });
  const course = await dataSource.getRepository(Course).findOneBy({ id: key(courseId) });
  if (!member || !course) throw new Refusal(404, 'no such member or course');
  const booked = await repository.countBy({ course: { id: course.id }, state: 'booked' });
  const saved = await repository.save({ member, course, state: booked < course.places ? 'booked' : 'waiting' });
  remind(saved.id);
  res.status(201).json({ id: saved.id, state: saved.state });
});

bookings.get('/:id', async (req, res) => {
  const booking = await repository.findOneBy({ id: key(req.params.id) });
  if (!booking) throw new Refusal(404, 'no such booking');
  res.json({ id: booking.id, state: booking.state });
});

/** Gives the place to the first who waits. */
bookings.post('/:id/cancel', async (req, res) => {
  const booking = await repository.findOne({ where: { id: key(req.params.id) }, relations: { course: true } });
  if (!booking) throw new Refusal(404, 'no such booking');
  await repository.delete({ id: booking.id });
  const [next] = await repository.find({ where: { course: { id: booking.course.id }, state: 'waiting' }, order: { id: 'ASC' } });
  await repository.update({ id: next.id }, { state: 'booked' });
  res.json({ cancelled: booking.id, movedUp: next.id });
});

module.exports = { bookings };
