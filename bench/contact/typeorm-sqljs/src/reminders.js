'use strict';

const { dataSource } = require('./data-source');
const { Booking } = require('./entities');

const reminders = [];

/** Notes a reminder for the evening before, in the trainer's words. */
async function remind(bookingId) {
  const booking = await dataSource
    .getRepository(Booking)
    .findOne({ where: { id: bookingId }, relations: { member: true, course: { trainer: true } } });
  const from = booking.course.trainer.name.split(' ')[0];
  reminders.push(`${from}: see you at ${booking.course.title}, ${booking.member.name}!`);
  reminders.splice(0, reminders.length - 50);
}

module.exports = { remind };
