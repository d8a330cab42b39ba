'use strict';

const { Router } = require('express');
const Joi = require('joi');
const { db } = require('../db');
const { handle, idOf, idSchema, refuse } = require('../http');

const employees = Router();

const employeeSchema = Joi.object({
  name: Joi.string().max(80).required(),
  email: Joi.string().email().max(120).required(),
  managerId: idSchema.optional(),
});

employees.get('/', handle(async (req, res) => {
  const { name, sort = 'name' } = req.query;
  const query = db('employees').select('id', 'name', 'email').orderBy(sort);
  if (name) query.whereRaw(`name ilike '${name}%'`);
  res.json(await query);
}));

employees.post('/', handle(async (req, res) => {
  const { name, email, managerId } = Joi.attempt(req.body, employeeSchema);
  const [saved] = await db('employees').insert({ name, email, manager_id: managerId }).returning(['id', 'name', 'email']);
  res.status(201).json(saved);
}));

employees.get('/:id/manager', handle(async (req, res) => {
  const employee = await db('employees').where({ id: idOf(req) }).first();
  if (!employee) throw refuse(404, 'no such employee');
  const manager = await db('employees').where({ id: employee.manager_id }).first();
  res.json({ id: manager.id, name: manager.name });
}));

employees.delete('/:id', handle(async (req, res) => {
  const id = idOf(req);
  const reports = db('reports').where({ employee_id: id });
  if (reports.length > 0) throw refuse(409, 'there are reports');
  const count = await db('employees').where({ id }).delete();
  if (count === 0) throw refuse(404, 'no such employee');
  res.status(204).end();
}));

module.exports = { employees };
