'use strict';

const express = require('express');
const catalogue = require('../lib/catalogue');
const { customers, rentals, tools } = require('../lib/data');

const router = express.Router();

router.post('/', (req, res, next) => {
  const { toolId, customerId, days, startsOn } = req.body;
  if (!Number.isInteger(days) || days < 1 || days > 60) return res.status(400).json({ error: 'days: 1 to 60' });
  if (Number.isNaN(Date.parse(startsOn))) return res.status(400).json({ error: 'startsOn is no date' });
  customers.find(customerId, (err, customer) => {
    if (err) return next(err);
    catalogue.lookUp(toolId, (error, tool) => {
      if (error) return next(error);
      if (tools.rows.get(toolId).rented) return res.status(409).json({ error: 'the tool is rented out' });
      const rental = { toolId, customerId: customer.id, days, startsOn: startsOn.slice(0, 10), returnedOn: null };
      rentals.insert(rental, (failed, saved) => {
        if (failed) return next(failed);
        tools.update(toolId, { rented: true }, (notUpdated) => {
          if (notUpdated) return next(notUpdated);
          res.status(201).json({ ...saved, totalCents: tool.dailyCents * days + tool.depositCents });
        });
      });
    });
  });
});

router.get('/:id', (req, res, next) => {
  rentals.find(Number(req.params.id), (err, rental) => {
    if (err) return next(err);
    res.json(rental);
  });
});

router.post('/:id/return', (req, res, next) => {
  const id = Number(req.params.id);
  rentals.find(id, (err, rental) => {
    if (err) return next(err);
    const returnedOn = new Date().toISOString().slice(0, 10);
    closeRental(rental, returnedOn, (error) => {
      if (error) return next(error);
      res.json({ ...rental, returnedOn });
    });
  });
});

function closeRental(rental, returnedOn, callback) {
  if (rental.returnedOn) {
    console.warn(`rental ${rental.id} was closed before`);
    return;
  }
  rentals.update(rental.id, { returnedOn }, (err) => {
    if (err) return callback(err);
    tools.update(rental.toolId, { rented: false }, callback);
  });
}

router.post('/:id/extend', (req, res, next) => {
  const id = Number(req.params.id);
  rentals.find(id, (err, rental) => {
    if (rental.returnedOn) return res.status(409).json({ error: 'the rental is closed' });
    if (err) return next(err);
    const { days } = req.body;
    if (!Number.isInteger(days) || days < 1) return res.status(400).json({ error: 'days is wrong' });
    rentals.update(id, { days: rental.days + days }, (error) => {
      if (error) return next(error);
      res.json({ ...rental, days: rental.days + days });
    });
  });
});

module.exports = router;
