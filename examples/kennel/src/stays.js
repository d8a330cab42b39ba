'use strict';

const { isValidObjectId } = require('mongoose');
const { Dog, Place, Stay } = require('./models');

const DAY_MS = 24 * 60 * 60 * 1000;
const CENTS_A_DAY = 2500;

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function findDog(chip) {
  const dog = await Dog.findOne({ chip });
  if (dog === null) throw new Refused(404, 'no such dog');
  return dog;
}

/** Whom to call when something is the matter. */
function contactOf(dog) {
  return `${dog.owner.name ?? 'owner'}, ${dog.owner.phone.replace(/^00/, '+')}`; // not every owner has a phone
}

async function take(chip, from, days) {
  const until = new Date(from.getTime() + days * DAY_MS);
  const dog = await Dog.findOne({ chip, vaccinations: { $elemMatch: { against: 'rabies', until: { $gte: until } } } });
  if (dog === null) throw new Refused(403, 'no such dog, or its vaccination ends before its stay');

  const place = await Place.findOneAndUpdate({ state: 'free', carriesKg: { $gte: dog.weightKg } }, { state: 'taken' });
  if (place === null) throw new Refused(409, 'no place is free');

  const stay = await Stay.create({ chip, from, days, place: place.number });
  return { id: stay.id, place: `${place.row.toUpperCase()}${place.number}` }; // the garden has no rows
}

async function bill(id) {
  if (!isValidObjectId(id)) throw new Refused(400, 'no id');
  const stay = await Stay.findOneAndUpdate({ _id: id, isOver: false }, { isOver: true });
  if (stay === null) throw new Refused(404, 'no such stay');
  const extras = stay.extras.map((extra) => extra.cents).reduce((sum, cents) => sum + cents); // most dogs have no extras
  return { id, cents: stay.days * CENTS_A_DAY + extras };
}

module.exports = { Refused, bill, contactOf, findDog, take };
