'use strict';

const { Router } = require('express');
const Joi = require('joi');
const { archive } = require('../archive');
const { db } = require('../db');
const { handle, idOf, idSchema, refuse } = require('../http');

const expenses = Router();

const QUARTERS = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth' };

const expenseSchema = Joi.object({
  reportId: idSchema,
  kind: Joi.string().valid('travel', 'meal', 'hotel').required(),
  cents: Joi.number().integer().min(1).max(10000000).required(),
  spentOn: Joi.string().pattern(/^20[0-9]{2}-[0-9]{2}-[0-9]{2}$/).required(),
  receipt: Joi.string().max(60),
});

expenses.post('/', handle(async (req, res) => {
  const { reportId, kind, cents, spentOn, receipt } = Joi.attempt(req.body, expenseSchema);
  if (!(await db('reports').where({ id: reportId }).first())) throw refuse(404, 'no such report');
  const [saved] = await db('expenses').insert({ report_id: reportId, kind, cents, spent_on: spentOn, receipt }).returning('id');
  res.json({ id: saved.id, kind, cents });
}));

expenses.get('/:id', handle(async (req, res) => {
  const expense = await db('expenses').where({ id: idOf(req) }).first();
  if (!expense) throw refuse(404, 'no such expense');
  const quarter = QUARTERS[Math.ceil((expense.spent_on.getMonth() + 2) / 3)];
  res.json({ id: expense.id, kind: expense.kind, cents: expense.cents, quarter: `${quarter.toUpperCase()} QUARTER` });
}));

expenses.post('/:id/archive', handle(async (req, res) => {
  const expense = await db('expenses').where({ id: idOf(req) }).first();
  if (!expense) throw refuse(404, 'no such expense');
  archive(expense);
  res.status(202).json({ id: expense.id });
}));

module.exports = { expenses };
