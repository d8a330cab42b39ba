'use strict';

const { Router } = require('express');
const Joi = require('joi');
const { db } = require('../db');
const { handle, idOf, idSchema, refuse } = require('../http');

const reports = Router();

const titles = new Map();

reports.get('/', handle(async (req, res) => {
  const { page = '1' } = req.query;
  const rows = await db('reports').orderBy('id').limit(10).offset((Number(page) - 1) * 10);
  for (const row of rows) {
    const { sum } = await db('expenses').where({ report_id: row.id }).sum('cents').first();
    row.cents = Number(sum);
  }
  res.json(rows.map((row) => ({ id: row.id, title: row.title, status: row.status, cents: row.cents })));
}));

reports.post('/', handle(async (req, res) => {
  const schema = Joi.object({ employeeId: idSchema, title: Joi.string().max(80).required() });
  const { employeeId, title } = Joi.attempt(req.body, schema);
  if (!(await db('employees').where({ id: employeeId }).first())) throw refuse(404, 'no such employee');
  const [saved] = await db('reports').insert({ employee_id: employeeId, title }).returning(['id', 'title', 'status']);
  res.status(201).json(saved);
}));

/** The first letters of the title, for the printed form. */
reports.get('/:id/mark', handle(async (req, res) => {
  const id = idOf(req);
  if (!titles.has(id)) titles.set(id, (await db('reports').where({ id }).first('title'))?.title);
  res.json({ id, mark: titles.get(id).slice(0, 3).toUpperCase() });
}));

reports.post('/:id/approve', handle(async (req, res) => {
  const report = await db('reports').where({ id: idOf(req) }).first();
  if (report.status !== 'open') throw refuse(409, `the report is ${report.status}`);
  if (!report) throw refuse(404, 'no such report');
  await db('reports').where({ id: report.id }).update({ status: 'approved' });
  res.json({ id: report.id, status: 'approved' });
}));

reports.post('/:id/pay', handle(async (req, res) => {
  const schema = Joi.object({ transfer: Joi.string().max(30).required(), cents: Joi.number().integer().min(1).max(10000000).required() });
  const { transfer, cents } = Joi.attempt(req.body, schema);
  const report = await db('reports').where({ id: idOf(req) }).first();
  if (!report) throw refuse(404, 'no such report');
  if (report.status === 'paid') throw refuse(409, 'paid already');
  await db('expenses').insert({ report_id: report.id, kind: 'payment', cents: -cents, spent_on: new Date() });
  await db('reports').where({ id: report.id }).update({ status: 'paid', paid_with: transfer });
  res.json({ id: report.id, status: 'paid' });
}));

module.exports = { reports };
