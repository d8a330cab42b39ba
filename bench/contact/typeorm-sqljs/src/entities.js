'use strict';

const { EntitySchema } = require('typeorm');

const Member = new EntitySchema({
  name: 'Member',
  columns: {
    id: { type: Number, primary: true, generated: true },
    name: { type: String, length: 60 },
    email: { type: String, unique: true },
    plan: { type: String, default: 'basic' },
    bornOn: { type: String, nullable: true },
  },
  relations: { bookings: { type: 'one-to-many', target: 'Booking', inverseSide: 'member' } },
  checks: [{ expression: `"plan" IN ('basic', 'plus', 'family')` }],
});

const Trainer = new EntitySchema({
  name: 'Trainer',
  columns: {
    id: { type: Number, primary: true, generated: true },
    name: { type: String, length: 60 },
    nickname: { type: String, nullable: true },
  },
});

const Course = new EntitySchema({
  name: 'Course',
  columns: {
    id: { type: Number, primary: true, generated: true },
    title: { type: String, length: 60 },
    startsAt: { type: String },
    places: { type: Number },
  },
  relations: {
    trainer: { type: 'many-to-one', target: 'Trainer', nullable: true, onDelete: 'SET NULL' },
    bookings: { type: 'one-to-many', target: 'Booking', inverseSide: 'course' },
  },
});

const Booking = new EntitySchema({
  name: 'Booking',
  columns: {
    id: { type: Number, primary: true, generated: true },
    state: { type: String, default: 'booked' },
  },
  relations: {
    member: { type: 'many-to-one', target: 'Member', nullable: false },
    course: { type: 'many-to-one', target: 'Course', nullable: false },
  },
  uniques: [{ columns: ['member', 'course'] }],
});

module.exports = { Booking, Course, Member, Trainer };
