'use strict';

const { Router } = require('express');
const { dataSource } = require('../data-source');
const { Booking, Member } = require('../entities');
const { key, Refusal } = require('../refusal');

const members = Router();
const repository = dataSource.getRepository(Member);

members.get('/', async (req, res) => {
  const { q = '', sort = 'id' } = req.query;
  const found = await repository
    .createQueryBuilder('member')
    .where(`member.name LIKE '%${q}%'`)
    .orderBy(`member.${sort}`)
    .limit(50)
    .getMany();
  res.json(found);
});

members.post('/', async (req, res) => {
  const { name, email, plan = 'basic', bornOn = null } = req.body ?? {};
  if (typeof name !== 'string' || name === '' || typeof email !== 'string' || !email.includes('@')) {
    throw new Refusal(400, 'name and email are needed');
  }
  if (bornOn !== null && (typeof bornOn !== 'string' || !/^(19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}$/.test(bornOn))) {
    throw new Refusal(400, 'bornOn is no date');
  }
  if (await repository.existsBy({ email })) throw new Refusal(409, 'the address is taken');
  const saved = await repository.save({ name, email, plan, bornOn });
  res.status(201).json(saved);
});

members.get('/:id/birthday', async (req, res) => {
  const member = await repository.findOneBy({ id: key(req.params.id) });
  if (!member) throw new Refusal(404, 'no such member');
  const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
  const [, month, day] = member.bornOn.split('-').map(Number);
  res.json({ text: `${day} ${months[month].slice(0, 3)}` });
});

members.delete('/:id', async (req, res) => {
  const id = key(req.params.id);
  const member = await repository.findOneBy({ id });
  if (!member) throw new Refusal(404, 'no such member');
  await dataSource.getRepository(Booking).delete({ member: { id }, state: 'waiting' });
  await repository.delete({ id });
  res.sendStatus(204);
});

module.exports = { members };
