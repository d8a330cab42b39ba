'use strict';

const { DataSource } = require('typeorm');
const { Booking, Course, Member, Trainer } = require('./entities');

const dataSource = new DataSource({
  type: 'sqljs',
  synchronize: true,
  entities: [Booking, Course, Member, Trainer],
});

async function seed() {
  const { manager } = dataSource;
  const [bo, cy] = await manager.save(Member, [
    { name: 'Bo', email: 'bo@example.com', bornOn: '1991-04-12' },
    { name: 'Cy', email: 'cy@example.com', plan: 'plus' },
  ]);
  const [kim] = await manager.save(Trainer, [{ name: 'Kim Oduya', nickname: 'Coach' }, { name: 'Pat Ray' }]);
  const [spin] = await manager.save(Course, [
    { title: 'Spinning', startsAt: '2030-01-07T18:00:00Z', places: 2, trainer: kim },
    { title: 'Yoga', startsAt: '2030-01-09T07:30:00Z', places: 12 },
  ]);
  await manager.save(Booking, [{ member: bo, course: spin }, { member: cy, course: spin, state: 'waiting' }]);
}

module.exports = { dataSource, seed };
